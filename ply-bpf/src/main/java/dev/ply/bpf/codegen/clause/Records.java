package dev.ply.bpf.codegen.clause;

import dev.ply.bpf.codegen.emit.Place;
import dev.ply.ir.Expr;

/** Compiles reads of records and saved registers that do not fit a register. */
public interface Records {
  /** Copies a member or an element. */
  void copy(Expr expr, Place to, int size);

  /**
   * Returns the location of a member or element of the context, or a copy of one in kernel memory.
   */
  Place field(Expr expr);

  /**
   * Copies the data of a {@code __data_loc} field; data that does not fit is truncated and
   * NUL-terminated.
   *
   * @param size the number of bytes to write, padded with zeroes
   * @param marksCut whether a mark takes the place of the NUL of truncated data
   */
  void dynamic(Expr field, Place to, int size, boolean marksCut);

  /** Writes the whole context. */
  void write(Place to, int size);
}
