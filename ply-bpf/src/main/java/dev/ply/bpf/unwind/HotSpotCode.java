package dev.ply.bpf.unwind;

/**
 * Where a HotSpot runtime keeps what it has compiled: a heap of blobs, of methods and stubs. A map
 * of its segments tells, for an address, in which blob it is, and a blob has the size of its frames
 * (codeBlob.hpp, heap.hpp).
 *
 * @param low the address of the heap
 * @param segments the address of the map: a byte for each segment, the distance to an earlier
 *     segment of the same blob, 0 for the first, 255 where there is none
 * @param segmentShift the binary logarithm of a segment's size
 * @param frameSize the offset from a blob's first segment of the size of its frames in words, of 32
 *     bits; 0 for code that keeps the frame pointer
 * @param interpreterLow the first address of the interpreter's code, wherever that is
 * @param interpreterHigh the first address after it
 */
public record HotSpotCode(
    long low,
    long segments,
    int segmentShift,
    int frameSize,
    long interpreterLow,
    long interpreterHigh)
    implements UnwindCode {
  /** The number of {@link #low}'s word. */
  public static final int LOW = 0;

  /** The number of {@link #segments}' word. */
  public static final int SEGMENTS = 1;

  /** The number of {@link #segmentShift}'s word. */
  public static final int SEGMENT_SHIFT = 2;

  /** The number of {@link #frameSize}'s word. */
  public static final int FRAME_SIZE = 3;

  /** The number of {@link #interpreterLow}'s word. */
  public static final int INTERPRETER_LOW = 4;

  /** The number of {@link #interpreterHigh}'s word. */
  public static final int INTERPRETER_HIGH = 5;

  private static final int WORDS = 6;

  @Override
  public int size() {
    return WORDS;
  }

  @Override
  public long row(int number) {
    return switch (number) {
      case LOW -> low;
      case SEGMENTS -> segments;
      case SEGMENT_SHIFT -> segmentShift;
      case FRAME_SIZE -> frameSize;
      case INTERPRETER_LOW -> interpreterLow;
      case INTERPRETER_HIGH -> interpreterHigh;
      default -> throw new IndexOutOfBoundsException(number);
    };
  }
}
