package dev.ply.bpf.unwind;

/** How callers are found from code: 64-bit words in the memory of {@link UnwindMaps}. */
public sealed interface UnwindCode permits UnwindTable, HotSpotCode {
  /** Returns the number of words. */
  int size();

  /** Returns a word by its number, from 0. */
  long row(int number);
}
