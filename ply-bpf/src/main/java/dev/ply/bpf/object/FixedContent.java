package dev.ply.bpf.object;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Constant bytes of a map. Immutable. */
public final class FixedContent {
  private final byte[] bytes;

  private FixedContent(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * {@return content of these bytes}
   *
   * @param bytes copied
   */
  public static FixedContent of(byte[] bytes) {
    return new FixedContent(bytes.clone());
  }

  /**
   * {@return content of these strings, each NUL-terminated}
   *
   * @param texts encoded by {@link dev.ply.type.TextBytes}
   */
  public static FixedContent ofTexts(String... texts) {
    StringBuilder all = new StringBuilder();
    for (String text : texts) {
      all.append(text).append('\0');
    }
    return new FixedContent(all.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** {@return the number of bytes} */
  public int size() {
    return bytes.length;
  }

  /** {@return a copy of the bytes} */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * {@return the bytes from an offset up to the next NUL, or to the end}
   *
   * @param offset of the first byte
   * @throws IndexOutOfBoundsException if the offset is out of range
   */
  public byte[] textAt(int offset) {
    int end = offset;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return Arrays.copyOfRange(bytes, offset, end);
  }

  /**
   * {@return whether there is a NUL at or after an offset}
   *
   * @param offset of the first byte
   */
  public boolean isTextAt(int offset) {
    return offset + textAt(offset).length < bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FixedContent content && Arrays.equals(bytes, content.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
