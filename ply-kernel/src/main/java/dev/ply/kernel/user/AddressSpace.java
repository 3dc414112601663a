package dev.ply.kernel.user;

import dev.ply.target.UserSymbols.Frame;

/** What a process had in memory at some time. */
interface AddressSpace {
  /** Returns whether something was mapped at an address. */
  boolean has(long address);

  /**
   * Names an address of code.
   *
   * @param instruction the address itself, or that of the call from which it is the return address
   */
  Frame frame(long address, long instruction);
}
