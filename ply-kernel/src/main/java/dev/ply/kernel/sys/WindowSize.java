package dev.ply.kernel.sys;

import java.util.OptionalInt;

/** The size of a terminal's window, by ioctl(2). */
public final class WindowSize {
  /** TIOCGWINSZ, on x86-64 and Arm. */
  private static final long GET = 0x5413;

  /** struct winsize: rows, columns, and both in pixels, of 16 bits each. */
  private static final int SIZE = 8;

  private static final int COLUMNS = 2;

  private WindowSize() {}

  /**
   * {@return the number of columns of the terminal that standard output is; empty if it is none, or
   * one whose size is not known}
   */
  public static OptionalInt outputColumns() {
    NativeMemory size = NativeMemory.allocate(SIZE);
    if (LibC.ioctl(1, GET, size.address()) < 0) {
      return OptionalInt.empty();
    }
    int columns = size.bytes().getShort(COLUMNS) & 0xffff;
    return columns == 0 ? OptionalInt.empty() : OptionalInt.of(columns);
  }
}
