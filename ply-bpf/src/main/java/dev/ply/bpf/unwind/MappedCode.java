package dev.ply.bpf.unwind;

import java.util.Optional;

/**
 * Executable memory of a process.
 *
 * @param start its first address
 * @param end the first address after it
 * @param bias what is added to addresses in the file
 * @param rules how callers are found, empty if by the frame pointer; without rows, walks end there
 */
public record MappedCode(long start, long end, long bias, Optional<? extends UnwindCode> rules) {
  /** Returns the address that rows' offsets are counted from; 0 without rows. */
  long base() {
    return rules.isPresent() && rules.get() instanceof UnwindTable table ? bias + table.base() : 0;
  }

  /** Returns whether it has an address. */
  public boolean has(long address) {
    return Long.compareUnsigned(address, start) >= 0 && Long.compareUnsigned(address, end) < 0;
  }
}
