// Compiled by gcc -g -gdwarf-5 -O2 -shared -fPIC -nostdlib -ffile-prefix-map=$PWD=. -o optimised.so optimised.c
// and by clang with the same options, without -ffile-prefix-map, -o optimised-clang.so
struct node { long a, b, value; };
struct pair { int first; int second; };
#define NOINLINE __attribute__((noinline))
NOINLINE static int scalar(struct node *node, int more) { return node->value + more; }
NOINLINE static int constant(int one, int two, int three) { __asm__ volatile(""); return one * two + three * 3; }
NOINLINE int unused(int one, int two, int three) { __asm__ volatile(""); return three; }
NOINLINE int many(int a, int b, int c, int d, int e, int f, int g, double z, char h) { __asm__ volatile(""); return a + g + h + (int)z; }
NOINLINE int inRegisters(struct pair pair, int after) { __asm__ volatile(""); return pair.second + after; }
int all(struct node *node, int number) {
  volatile int sum = scalar(node, number);
  struct pair pair = {number, sum};
  return sum + constant(number, 5, sum) + constant(sum, 5, number) + unused(number, 2, 3)
      + many(1, 2, 3, 4, 5, 6, number, 2.0, 3) + inRegisters(pair, 7);
}
