package dev.ply.bpf.unwind;

import java.util.OptionalLong;

/** Memory of a process, as far as it is known. */
public interface UserMemory {
  /** Returns the 8 bytes at an address, as a number; empty if they cannot be read. */
  OptionalLong word(long address);
}
