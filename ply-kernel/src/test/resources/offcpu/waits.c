/* Waits in two functions, and prints how long each of them took, in ns. */
#include <poll.h>
#include <stdio.h>
#include <time.h>

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

__attribute__((noinline)) static void sleeps(void) {
  struct timespec time = {0, 20000000};
  nanosleep(&time, 0);
  __asm__ volatile("");
}

__attribute__((noinline)) static void polls(void) {
  poll(0, 0, 10);
  __asm__ volatile("");
}

int main(void) {
  long slept = 0, polled = 0;
  getchar();
  for (int i = 0; i < 20; i++) {
    long begin = now();
    sleeps();
    slept += now() - begin;
    begin = now();
    polls();
    polled += now() - begin;
  }
  printf("%ld %ld\n", slept, polled);
  return 0;
}
