package dev.ply.bpf.cfg;

import java.util.List;

/**
 * What a call does to the stack.
 *
 * @param reads the bytes it may read
 * @param writes the bytes it may change
 * @param isKnown false if it may read and change the stack elsewhere too
 */
public record StackAccess(List<Range> reads, List<Range> writes, boolean isKnown) {
  /** A call that may do anything. */
  static final StackAccess ANYTHING = new StackAccess(List.of(), List.of(), false);

  /** Bytes from {@code offset}, counted from r10, up. */
  public record Range(int offset, int size) {}

  public StackAccess {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }
}
