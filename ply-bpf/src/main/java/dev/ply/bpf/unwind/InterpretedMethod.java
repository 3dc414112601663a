package dev.ply.bpf.unwind;

import java.util.OptionalInt;

/**
 * What stands in a stack for the address of a frame that HotSpot's interpreter runs, as its code is
 * the same for all methods: no address of user memory is as high.
 *
 * @param method the address of the runtime's description of the method
 * @param bytecode the index of the bytecode that calls the next frame, below {@value
 *     #UNKNOWN_BYTECODE}; empty if it is not known
 */
public record InterpretedMethod(long method, OptionalInt bytecode) {
  /** The bits of addresses. */
  public static final int ADDRESS_BITS = 48;

  /** What stands for an index that is unknown. Larger ones would make the word a marker. */
  public static final int UNKNOWN_BYTECODE = 0x7ffe;

  private static final long ADDRESS = (1L << ADDRESS_BITS) - 1;

  /** Returns the word. */
  public long word() {
    long index = bytecode.orElse(UNKNOWN_BYTECODE);
    return Long.MIN_VALUE | index << ADDRESS_BITS | method;
  }

  /** Returns whether a word of a stack stands for a method. */
  public static boolean is(long word) {
    return word < 0 && UnwindEnd.ofMarker(word).isEmpty();
  }

  /** Returns what a word stands for, of which {@link #is} is true. */
  public static InterpretedMethod of(long word) {
    int index = (int) (word >>> ADDRESS_BITS) & (1 << 15) - 1;
    return new InterpretedMethod(
        word & ADDRESS, index < UNKNOWN_BYTECODE ? OptionalInt.of(index) : OptionalInt.empty());
  }
}
