// Compiled by g++ -gdwarf-5 -O2 -shared -fPIC -nostdlib -ffile-prefix-map=$PWD=. -o classes.so classes.cc
namespace app {
struct Empty {};
struct Base {
  Base() : wide(1), id(2) {}
  long wide;
  int id;
};
struct Service : Empty, Base {
  char tail;  // in the padding of Base
  template <typename T> struct Held { T value; };
  Held<long> held;
  static int count;
  int handle(const Service &other, double weight, long number);
};
int Service::handle(const Service &other, double weight, long number) {
  return other.tail + (int)weight + (int)number;
}
}
extern "C" __attribute__((cold, noinline)) void fail(const char *why) {
  asm volatile("" : : "r"(why));
}
// Its code is in two pieces.
extern "C" int split(int many, const char *text) {
  if (many > 1000) {
    fail(text);
    many = text[1];
    fail(text + many);
  }
  return many + text[0];
}
