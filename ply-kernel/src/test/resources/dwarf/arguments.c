// Compiled by gcc -gdwarf-N -O0 -shared -fPIC -nostdlib -ffile-prefix-map=$PWD=. -o arguments-N.so arguments.c
// with -fdebug-types-section also -o arguments-types-N.so
#include <stdint.h>

struct pair { int32_t first; char second; };
union either { uint64_t number; char bytes[8]; };
typedef struct { unsigned low : 3; unsigned high : 5; uint16_t rest; } flags_t;
enum colour { RED, GREEN = 5 };
struct node {
  struct node *next;
  const char *name;
  int16_t numbers[3];
  struct pair pair;
  struct { uint8_t inner; };
  flags_t flags;
  double weight;
  union either *either;
  int (*call)(int);
} __attribute__((aligned(8)));
struct wide { unsigned one : 10; unsigned two : 10; char last; };
struct __attribute__((packed)) tight { char one; uint64_t eight; };

__attribute__((noinline)) int add(int8_t small, unsigned long large, const char *text, struct node *list, enum colour colour, double weight, _Bool is, struct tight *tight) {
  return small + (int)large + (text ? text[0] : 0) + (list ? list->numbers[1] : 0) + (int)colour + (int)weight + is + (int)tight->eight;
}
__attribute__((noinline)) long after(struct wide *wide, struct pair pair, int lost) { return wide->last + pair.first + lost; }
struct big { long values[4]; };
__attribute__((noinline)) struct big grown(int by) { struct big big = {{by, 2 * by, 3, 4}}; return big; }
