#include <dlfcn.h>
#include <stdio.h>

/* Lines of input: "1" or "2" replaces the loaded library by that of the argument and prints where
   its function is, "x" calls it. */
int main(int count, char **libraries) {
  char line[16];
  void *library = NULL;
  long (*run)(volatile char *) = NULL;
  volatile char memory[8] = {1};
  (void)count;
  while (fgets(line, sizeof(line), stdin)) {
    if (line[0] == 'x') {
      run(memory);
      puts("x");
    } else {
      if (library != NULL) {
        dlclose(library);
      }
      library = dlopen(libraries[line[0] - '0'], RTLD_NOW);
      run = (long (*)(volatile char *))dlsym(library, "run");
      printf("%lx\n", (unsigned long)run & ~0xfffUL);
    }
    fflush(stdout);
  }
  return 0;
}
