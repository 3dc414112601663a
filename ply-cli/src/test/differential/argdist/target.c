/* What the cases trace: functions and USDT probes that are passed known values, in rounds, one for each line of input. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

#define TRACED __attribute__((noinline, noclone, noipa))

/* The note of a USDT probe, in the format of SystemTap's version 3. */
#define NOTE(name, semaphore, arguments, ...)                                              \
  __asm__ volatile("990: nop\n"                                                            \
                   ".pushsection .note.stapsdt,\"?\",\"note\"\n"                           \
                   ".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                          \
                   "991: .asciz \"stapsdt\"\n 992: .balign 4\n"                            \
                   "993: .8byte 990b, 0, " semaphore "\n"                                  \
                   ".asciz \"target\"\n .asciz \"" name "\"\n .asciz \"" arguments "\"\n"  \
                   "994: .balign 4\n .popsection\n" ::__VA_ARGS__)

__attribute__((section(".probes"), used)) unsigned short guarded_semaphore;

TRACED int add(int a, long b) { return a + (int)b; }
TRACED unsigned char low(unsigned char byte) { return byte; }
TRACED long product(long a, long b, long c, long d, long e, long f) { return a * b * c * d * e * f; }
TRACED char *pick(char *text, int from) { return text + from; }
TRACED long weigh(struct parcel *parcel) { return parcel->weight + parcel->next->weight; }
TRACED void nothing(void) { __asm__ volatile(""); }
TRACED int fails(int error) { return -error; }
TRACED unsigned long huge(unsigned long value) { return value; }

static void round_of_calls(void) {
  char text[128] = "hello", other[128] = "hello", longer[128];
  struct parcel second = {.weight = -7, .kind = 3, .label = "second"};
  struct parcel first = {.weight = 40, .kind = 200, .next = &second, .label = "first"};
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  memcpy(longer, "help me", 7);
  /* A byte behind the string that tells it from the first. */
  other[20] = '!';
  for (int i = 0; i < 10; i++) add(i % 3 - 1, 1L << i);
  for (int i = 0; i < 300; i += 100) low((unsigned char)i);
  product(1, 2, 3, 4, 5, 6);
  product(-1, 2, 3, 4, 5, 6);
  for (int i = 0; i < 4; i++) pick(text, i / 2);
  pick(other, 0);
  pick(longer, 0);
  for (int i = 0; i < 5; i++) weigh(i < 2 ? &first : &(struct parcel){.weight = 5, .next = &first});
  for (int i = 0; i < 6; i++) nothing();
  fails(ENOENT);
  fails(ENOENT);
  fails(EACCES);
  huge(0);
  huge(1);
  huge(1UL << 31);
  huge(3UL << 40);
  huge(~0UL);
  for (int i = 0; i < 7; i++) {
    long size = 100L * i;
    NOTE("sizes", "0", "-4@%0 8@%1 8@%2", "r"(i % 2 ? -i : i), "r"(size), "r"(text));
    NOTE("guarded", "guarded_semaphore", "-4@%0", "r"(i / 3));
    NOTE("bare", "0", "");
  }
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (int i = 0; i < 8; i++)
    if (write(null, longer, 10 + 10 * (i % 2)) < 0) exit(1);
  if (write(null, text, 5) < 0) exit(1);
  close(null);
  if (open("/no/such/file", O_RDONLY) >= 0) exit(1);
}

int main(void) {
  char line;
  while (read(0, &line, 1) == 1) round_of_calls();
  return 0;
}
