// A library whose function calls one of its caller.
int down(int n, int (*last)(int)) {
  volatile long room[8] = {n};
  return (int)room[0] * 2 + (n > 0 ? down(n - 1, last) : last(3));
}
