package dev.ply.bpf.session;

import dev.ply.result.Datum;
import dev.ply.type.Type.IntType;

/** Where the stack traces of ids come from. */
@FunctionalInterface
interface Stacks {
  /** Returns the trace of this id, or why it is missing. */
  Datum read(long number, IntType type);
}
