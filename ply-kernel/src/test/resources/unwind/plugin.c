#include <unistd.h>

/* Two libraries of one size: the same functions at other offsets, with frames of other sizes. */
#ifdef SECOND
__attribute__((noinline)) long second_inner(volatile char *memory) {
  volatile char large[400];
  for (int i = 0; i < 400; i++) {
    large[i] = memory[0];
  }
  write(-1, (void *)large, 1);
  return large[7];
}

long run(volatile char *memory) {
  volatile char larger[3000];
  for (int i = 0; i < 3000; i++) {
    larger[i] = memory[0];
  }
  return second_inner(larger) + larger[5];
}
#else
__attribute__((noinline)) long first_inner(volatile char *memory) {
  write(-1, (void *)memory, 1);
  return memory[0];
}

long run(volatile char *memory) {
  volatile char small[40];
  for (int i = 0; i < 40; i++) {
    small[i] = memory[0];
  }
  return first_inner(small) + small[3];
}
#endif
