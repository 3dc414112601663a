package dev.ply.bpf.codegen;

/**
 * What may be chosen about a compiled script.
 *
 * @param mapEntries how many keys a map holds at most
 * @param ringBufferBytes the bytes of the buffer for events, a power of two and of pages
 */
public record CompilerOptions(int mapEntries, int ringBufferBytes) {
  /** What holds where nothing is chosen. */
  public static final CompilerOptions DEFAULT = new CompilerOptions(4096, 1 << 20);

  public CompilerOptions {
    if (mapEntries < 1) {
      throw new IllegalArgumentException("a map holds at least 1 key, not " + mapEntries);
    }
    if (ringBufferBytes < 4096 || Integer.bitCount(ringBufferBytes) != 1) {
      throw new IllegalArgumentException(
          "a ring buffer has a power of two of bytes from 4096 up, not " + ringBufferBytes);
    }
  }
}
