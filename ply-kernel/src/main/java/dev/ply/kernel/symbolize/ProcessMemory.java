package dev.ply.kernel.symbolize;

import dev.ply.target.UserSymbols.Frame;

/** The memory of a process at some time. */
interface ProcessMemory {
  /** Returns whether something was mapped at an address. */
  boolean has(long address);

  /**
   * Symbolises a code address.
   *
   * @param instruction the address itself, or that of the call if it is a return address
   */
  Frame frame(long address, long instruction);

  /** Returns an object that is another one when the mappings have been read again. */
  Object version();
}
