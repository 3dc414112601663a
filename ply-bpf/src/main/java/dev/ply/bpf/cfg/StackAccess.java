package dev.ply.bpf.cfg;

import java.util.List;

/**
 * The stack bytes that a call reads and writes.
 *
 * @param reads the bytes it may read
 * @param writes the bytes it may write
 * @param isKnown false if it may access any other byte too
 */
public record StackAccess(List<Range> reads, List<Range> writes, boolean isKnown) {
  /** The access of an unknown call. */
  static final StackAccess ANYTHING = new StackAccess(List.of(), List.of(), false);

  /** The {@code size} bytes at {@code offset} from r10. */
  public record Range(int offset, int size) {}

  public StackAccess {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }
}
