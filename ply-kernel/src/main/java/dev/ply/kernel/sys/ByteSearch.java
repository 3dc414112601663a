package dev.ply.kernel.sys;

import java.lang.ref.Reference;

/**
 * A search for one text in another, by the C library: megabytes take it a millisecond, where a Java
 * that has just started reads them byte by byte. Thread-safe.
 */
public final class ByteSearch {
  private final NativeMemory text;
  private final int length;
  private final NativeMemory sought;
  private final int soughtLength;

  /** A search for {@code sought} in {@code text}, both of which are copied. */
  public ByteSearch(byte[] text, byte[] sought) {
    this.text = NativeMemory.of(text);
    this.length = text.length;
    this.sought = NativeMemory.of(sought);
    this.soughtLength = sought.length;
  }

  /**
   * Returns where it stands first, as an offset in the text; -1 if nowhere.
   *
   * @param from the first offset where it may, up to the text's length
   */
  public int next(int from) {
    if (from < 0 || from > length) {
      throw new IndexOutOfBoundsException(from + " in a text of " + length + " bytes");
    }
    try {
      long found =
          LibC.memmem(text.address() + from, length - from, sought.address(), soughtLength);
      return found == 0 ? -1 : (int) (found - text.address());
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
