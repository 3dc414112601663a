package dev.ply.bpf.decode;

import dev.ply.table.Datum;
import dev.ply.type.Type.IntType;

/** Looks up stack traces by their IDs. */
@FunctionalInterface
public interface Stacks {
  /** Returns the stack trace of this ID, or the reason why it is missing. */
  Datum read(long number, IntType type);
}
