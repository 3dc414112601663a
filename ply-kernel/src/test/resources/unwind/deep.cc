// As deep.c, in ways of C++.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <functional>
#include <thread>
#include <vector>

#define APART __attribute__((noinline))

static volatile int zero;
static bool telling;
static long way;

extern "C" APART int leaf(int number) { return number + zero; }

static APART int last(int n) {
  int sum = 0;
  for (int i = telling ? 0 : 1; i < 2; i++) {
    if (i == 0) {
      void *frames[256];
      int count = backtrace(frames, 256);
      printf("truth %ld", way);
      for (int j = 1; j < count; j++) printf(" %lx", (long)frames[j]);
      puts("");
      telling = false;
    } else {
      sum += leaf(way);
    }
  }
  return sum + n;
}

// That zero is read after the call keeps compilers from making a loop of it.
static APART int plain(int n) {
  int sum = n > 0 ? plain(n - 1) : last(n);
  return sum + n + zero;
}

static APART int thrower(int n) {
  volatile char room[64] = {(char)n};
  if (n == 0) throw 1;
  return thrower(n - 1) + room[0];
}

static APART int caught(int n) {
  if (n > 0) {
    int sum = caught(n - 1);
    return sum + n + zero;
  }
  try {
    return thrower(5);
  } catch (int number) {
    return plain(5) + number;
  }
}

struct Closed {
  int n;
  ~Closed() { zero = plain(n) * 0; }
};

// The destructor is called while the exception is on its way.
static APART int closing(int n) {
  if (n > 0) {
    int sum = closing(n - 1);
    return sum + n + zero;
  }
  try {
    Closed closed{5};
    return thrower(5) + closed.n;
  } catch (int number) {
    return number;
  }
}

static APART int lambda(int n) {
  std::function<int(int)> function = [&](int m) { return n > 0 ? lambda(n - 1) + m : last(m) + 1; };
  return function(n) + 1;
}

static APART int sorted(int n) {
  std::vector<int> numbers{2, 1};
  std::sort(numbers.begin(), numbers.end(), [=](int a, int b) { return plain(n) * 0 + a < b; });
  return numbers[0];
}

struct Base {
  virtual int down(int n) = 0;
  virtual ~Base() = default;
};

struct Derived : Base {
  int down(int n) override { return (n > 0 ? Derived().down(n - 1) + n : last(n) + 1) + zero; }
};

static APART int in_thread(int n) {
  int sum = 0;
  std::thread([&] { sum = plain(n); }).join();
  return sum;
}

static APART int dispatched(int n) {
  Derived derived;
  Base *base = &derived;
  return base->down(n);
}

int main(int count, char **arguments) {
  int calls = count > 1 ? atoi(arguments[1]) : 1;
  puts("ready");
  fflush(stdout);
  int sum = getchar();
  const struct {
    const char *name;
    int (*run)(int);
  } ways[] = {{"plain", plain}, {"catch", caught},    {"destructor", closing}, {"lambda", lambda},
              {"sort", sorted}, {"thread", in_thread}, {"virtual", dispatched}};
  for (const auto &each : ways) {
    way = &each - ways;
    for (int i = 0; i < calls; i++) {
      telling = i == 0;
      sum += each.run(16);
    }
    printf("way %ld %s %d\n", way, each.name, calls);
  }
  return sum == 42;
}
