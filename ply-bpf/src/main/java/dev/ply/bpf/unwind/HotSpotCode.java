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
 * @param constMethod the offset in a method's description of the address of its constant part
 * @param bytecodes the offset in that part of its bytecodes
 */
public record HotSpotCode(
    long low,
    long segments,
    int segmentShift,
    int frameSize,
    long interpreterLow,
    long interpreterHigh,
    int constMethod,
    int bytecodes)
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

  /** The number of {@link #constMethod}'s word. */
  public static final int CONST_METHOD = 6;

  /** The number of {@link #bytecodes}' word. */
  public static final int BYTECODES = 7;

  private static final int WORDS = 8;

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
      case CONST_METHOD -> constMethod;
      case BYTECODES -> bytecodes;
      default -> throw new IndexOutOfBoundsException(number);
    };
  }
}
