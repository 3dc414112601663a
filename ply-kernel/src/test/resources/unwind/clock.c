#include <stdio.h>
#include <time.h>

/* Asks for the time: of a clock without system calls, or of one that needs them. */
static __attribute__((noinline)) long ask(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_nsec;
}

int main(int count, char **arguments) {
  clockid_t clock = count > 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  volatile long sum = 0;
  puts("ready");
  fflush(stdout);
  for (;;) {
    sum += ask(clock);
  }
}
