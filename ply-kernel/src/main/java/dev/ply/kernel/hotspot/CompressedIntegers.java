package dev.ply.kernel.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A stream of integers as HotSpot compresses them: of up to five bytes, the lowest six bits first
 * (unsigned5.hpp). Since Java 20 no byte is zero.
 */
final class CompressedIntegers {
  private static final int BITS = 6;
  private static final int MOST_BYTES = 5;
  private static final int HIGH_VALUES = 1 << BITS;
  private static final int BYTE_VALUES = 1 << Byte.SIZE;

  private final ByteBuffer bytes;
  private final int excluded;

  /**
   * Reads from the position of a buffer.
   *
   * @param areZerosExcluded since Java 20
   */
  CompressedIntegers(ByteBuffer bytes, boolean areZerosExcluded) {
    this.bytes = bytes;
    this.excluded = areZerosExcluded ? 1 : 0;
  }

  int unsignedByte() throws IOException {
    if (!bytes.hasRemaining()) {
      throw new IOException("integers without an end");
    }
    return Byte.toUnsignedInt(bytes.get());
  }

  int unsigned() throws IOException {
    int low = BYTE_VALUES - HIGH_VALUES - excluded;
    int sum = 0;
    for (int i = 0; i < MOST_BYTES; i++) {
      int digit = unsignedByte() - excluded;
      sum += digit << (BITS * i);
      if (digit < low) {
        break;
      }
    }
    return sum;
  }

  /** The sign is the lowest bit. */
  int signed() throws IOException {
    int value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }
}
