package dev.ply.cli.tool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A program that allocates, after a line of input, what its test knows. */
final class Allocating {
  static final int ARRAYS = 100;
  static final int ARRAY_BYTES = 2_000_000;
  static final int OBJECTS = 200_000;

  private static volatile Object last = "";

  private Allocating() {}

  /** An object of 64 bytes, with its header. */
  static final class Known {
    private final long[] values = null;
    private long a;
    private long b;
    private long c;
    private long d;
    private long e;
    private long f;
  }

  public static void main(String... arguments) throws IOException {
    List<Integer> read = new ArrayList<>();
    read.add(System.in.read());
    for (int i = 0; i < ARRAYS; i++) {
      last = new byte[ARRAY_BYTES];
    }
    for (int i = 0; i < OBJECTS; i++) {
      last = new Known();
    }
    read.add(System.in.read());
  }
}
