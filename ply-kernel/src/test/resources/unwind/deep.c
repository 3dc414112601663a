// Calls leaf(way) about 20 functions down, in many ways, and prints what it knows of its stacks:
//   way NUMBER NAME CALLS
//   shadow NUMBER ADDRESS...      return addresses that functions noted when they were called
//   truth NUMBER ADDRESS...       the stack by backtrace(3) without leaf and its caller, of each call that has another
// It waits for a line, or the end of input. Arguments: the number of calls of each way, a library to load.
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <execinfo.h>
#include <ucontext.h>
#else
#define backtrace(addresses, size) ((void)(addresses), (void)(size), 0)
#endif

#define APART __attribute__((noinline, noclone))
#define ENTER shadow[level++] = (uintptr_t)__builtin_return_address(0)
#define LEAVE level--

enum { DEPTH = 16, MOST = 256, SEEN = 1 << 16 };
static uintptr_t shadow[MOST];
static volatile int level;
static volatile int telling;
static volatile int is_stepping;
static volatile int zero;
static uint64_t seen[SEEN];
static int way;
static int calls;
static volatile long steps;

APART int leaf(int number) { return number + zero; }

// Prints a stack that was not printed before.
static APART void tell(int from) {
  void *frames[MOST];
  int count = backtrace(frames, MOST);
  uint64_t hash = way + 1;
  for (int i = from; i < count; i++) hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
  size_t at = hash % SEEN;
  for (int tries = 0; seen[at] && tries < SEEN; at = (at + 1) % SEEN, tries++)
    if (seen[at] == hash) return;
  seen[at] = hash;
  if (count > 0) {
    printf("truth %d", way);
    for (int i = from; i < count; i++) printf(" %lx", (long)frames[i]);
    puts("");
  }
}

static APART void tell_shadow(void) {
  printf("shadow %d", way);
  for (int i = level - 1; i >= 0; i--) printf(" %lx", (long)shadow[i]);
  puts("");
}

static APART int last(int n) {
  ENTER;
  // The same call for both: what follows it is what both stacks have.
  int sum = 0;
  for (int i = telling ? 0 : 1; i < 2; i++) {
    if (i == 0) {
      tell(2);
      tell_shadow();
    } else {
      sum += is_stepping ? 0 : leaf(way);
    }
  }
  LEAVE;
  return sum + n;
}

static APART int plain(int n) {
  ENTER;
  int sum = n > 0 ? plain(n - 1) : last(n);
  LEAVE;
  return sum + n;
}

static APART int with_alloca(int n) {
  ENTER;
  char *room = alloca(n * 64 + 100);
  memset(room, n, n * 64 + 100);
  int sum = n > 0 ? with_alloca(n - 1) : last(n);
  LEAVE;
  return sum + room[n];
}

static APART int with_array(int n) {
  ENTER;
  volatile long room[n * 3 + 2];
  room[n] = n;
  int sum = n > 0 ? with_array(n - 1) : last(n);
  LEAVE;
  return sum + room[n];
}

static APART int large(int n) {
  ENTER;
  volatile char room[50000];
  room[n] = n;
  int sum = n > 0 ? large(n - 1) : last(n);
  LEAVE;
  return sum + room[n];
}

static APART int many(int n, int a, int b, int c, int d, int e, int f, int g, int h) {
  ENTER;
  int sum = n > 0 ? many(n - 1, a, b, c, d, e, f, g, h) : last(n);
  LEAVE;
  return sum + a * b + c * d + e * f + g * h;
}

static APART int aligned(int n) {
  ENTER;
  volatile long vector[8] __attribute__((aligned(64)));
  vector[n % 8] = n;
  int sum = n > 0 ? aligned(n - 1) : last(n);
  LEAVE;
  return sum + vector[n % 8];
}

// Both: the frame's size is known only when it runs, and it is aligned.
static APART int aligned_alloca(int n) {
  ENTER;
  volatile long vector[8] __attribute__((aligned(64)));
  volatile char *room = alloca(n * 64 + 100);
  vector[n % 8] = room[n] = n;
  int sum = n > 0 ? aligned_alloca(n - 1) : last(n);
  LEAVE;
  return sum + vector[n % 8] + room[n];
}

static APART int tail_odd(int n, int a);
static APART int tail_even(int n, int a) { return n > 0 ? tail_odd(n - 1, a + n) : last(a); }
static APART int tail_odd(int n, int a) { return n > 0 ? tail_even(n - 1, a * n) : last(a); }
static APART int tail(int n) {
  ENTER;
  int sum = n > 0 ? tail(n - 1) : tail_even(10, n);
  LEAVE;
  return sum + n;
}

static APART int compare(const void *a, const void *b) {
  ENTER;
  int order = plain(3) * 0 + *(const int *)a - *(const int *)b;
  LEAVE;
  return order;
}

static APART int sorted(int n) {
  ENTER;
  int numbers[2] = {n, 1};
  if (n > 0) sorted(n - 1);
  else qsort(numbers, 2, sizeof(int), compare);
  LEAVE;
  return numbers[0];
}

static void handler(int number) {
  ENTER;
  zero = plain(3) * 0 + number * 0;
  LEAVE;
}

static APART int interrupted(int n) {
  ENTER;
  int sum = n > 0 ? interrupted(n - 1) : raise(SIGUSR1);
  LEAVE;
  return sum + n;
}

static APART int on_other_stack(int n) {
  ENTER;
  int sum = n > 0 ? on_other_stack(n - 1) : raise(SIGUSR2);
  LEAVE;
  return sum + n;
}

static void *run_thread(void *unused) {
  (void)unused;
  level = 0;
  ENTER;
  return (void *)(intptr_t)plain(DEPTH);
}

static APART int in_thread(int n) {
  pthread_t thread;
  void *result = 0;
  pthread_create(&thread, 0, run_thread, 0);
  pthread_join(thread, &result);
  return n + (intptr_t)result;
}

static int (*library)(int, int (*)(int));

static APART int in_library(int n) {
  ENTER;
  int sum = n > 0 ? in_library(n - 1) : library(5, plain);
  LEAVE;
  return sum + n;
}

#ifdef __GLIBC__
static ucontext_t here, there;

static void run_context(void) {
  level = 0;
  ENTER;
  zero = plain(DEPTH) * 0;
}

static APART int in_context(int n) {
  static char room[1 << 20];
  getcontext(&there);
  there.uc_stack.ss_sp = room;
  there.uc_stack.ss_size = sizeof room;
  there.uc_link = &here;
  makecontext(&there, run_context, 0);
  swapcontext(&here, &there);
  return n;
}
#endif

#if defined(__x86_64__) && defined(__GLIBC__)
#define STEPS
// After each instruction, the processor traps: a handler has the stack of each of them. Not those of aligned_alloca:
// there, GCC describes the end of the function wrongly.
static void step(int number, siginfo_t *info, void *context) {
  greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
  (void)number, (void)info;
  *flags = is_stepping ? *flags | 0x100 : *flags & ~0x100;
  if (is_stepping) {
    tell(2);
    zero = leaf(way) * 0;
    steps++;
  }
}

static APART int stepped(int n) {
  int numbers[8] = {n, 5, 4, 1, 7, 3, 2, 6};
  char text[100];
  tell_shadow();
  is_stepping = 1;
  raise(SIGTRAP);
  int sum = with_alloca(2) + with_array(1) + large(1) + many(2, 1, 2, 3, n, 5, 6, 7, 8) + aligned(1) + tail(1);
  sum += strtol("123", 0, n + 10) + atoi("12") + strlen(strcat(strcpy(text, "a"), "b")) + memcmp(text, numbers, 8);
  sum += fprintf(stderr, "%s", "") + (getenv("PLY_NONE") != 0) + (strchr(text, 'x') != 0);
  qsort(numbers, 8, sizeof(int), compare);
  free(malloc(n + 100));
  is_stepping = 0;
  return sum;
}
#endif

static const struct {
  const char *name;
  int (*run)(int);
} ways[] = {
  {"plain", plain},           {"alloca", with_alloca},      {"array", with_array},
  {"large", large},           {"many", NULL},               {"aligned", aligned},
  {"aligned-alloca", aligned_alloca}, {"tail", tail},       {"qsort", sorted},
  {"signal", interrupted},    {"altstack", on_other_stack}, {"thread", in_thread},
  {"library", in_library},
#ifdef __GLIBC__
  {"context", in_context},
#ifdef STEPS
  {"step", stepped},
#endif
#endif
};

static APART int run(int number) {
  ENTER;
  int sum = ways[number].run ? ways[number].run(DEPTH) : many(DEPTH, 1, 2, 3, 4, 5, 6, 7, 8);
  LEAVE;
  return sum;
}

int main(int count, char **arguments) {
  static char other_stack[1 << 16];
  calls = count > 1 ? atoi(arguments[1]) : 1;
  void *loaded = count > 2 ? dlopen(arguments[2], RTLD_NOW) : 0;
  if (loaded) library = (int (*)(int, int (*)(int)))dlsym(loaded, "down");
  stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, 0);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, 0);
#ifdef STEPS
  struct sigaction stepping = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &stepping, 0);
  void *frames[1];
  zero = backtrace(frames, 1) * 0;
#endif
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  puts("ready");
  fflush(stdout);
  int sum = getchar();
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    way = i;
    if (ways[i].run == in_library && !library) continue;
    int isStepped = !strcmp(ways[i].name, "step");
    int times = isStepped ? 1 : calls;
    for (int n = 0; n < times; n++) {
      telling = n == 0 && !isStepped;
      level = 0;
      ENTER;
      sum += run(i);
    }
    printf("way %d %s %ld\n", (int)i, ways[i].name, steps ? steps : times);
  }
  fflush(stdout);
  return sum == 42;
}
