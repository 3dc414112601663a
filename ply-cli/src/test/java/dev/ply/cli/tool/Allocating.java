package dev.ply.cli.tool;

import java.io.IOException;

/** A program that allocates, after a line of input, what its test knows. */
final class Allocating {
  static final int ARRAYS = 100;
  static final int ARRAY_BYTES = 2_000_000;
  static final int OBJECTS = 200_000;

  static volatile Object last = "";

  private Allocating() {}

  /** An object of 64 bytes, with its header. */
  static final class Known {
    int n;
    long a;
    long b;
    long c;
    long d;
    long e;
    long f;
  }

  public static void main(String... arguments) throws IOException {
    int unused = System.in.read();
    for (int i = 0; i < ARRAYS; i++) {
      last = new byte[ARRAY_BYTES];
    }
    for (int i = 0; i < OBJECTS; i++) {
      last = new Known();
    }
    unused = System.in.read();
  }
}
