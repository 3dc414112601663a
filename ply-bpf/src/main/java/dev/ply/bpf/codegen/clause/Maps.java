package dev.ply.bpf.codegen.clause;

import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.type.Type;

/** Compiles operations on maps, and values where maps and records have them. */
public interface Maps {
  /** Writes a value to memory in the layout of {@code type}. */
  void write(Expr expr, Place to, Type type);

  /** Reads a number, zero if the key is missing. */
  ScalarCode read(MapRef map);

  /** Jumps to {@code target} if the presence of a key is {@code sense}, else falls through. */
  void jumpIfPresent(MapRef map, boolean sense, Label target);

  /** Reads a string into memory, NULs if the key is missing. */
  void read(MapRef map, Place to, int size);

  /** Stores a value under a key. */
  void store(MapRef map, Expr value);

  /**
   * Returns the address of the value under a key, inserted as zero if it is missing; jumps to
   * {@code giveUp} if the map is full.
   */
  Register entry(MapRef map, Label giveUp);

  /** Removes a key, and returns 0 if it existed, else an error number. */
  Register delete(MapRef map);

  /** Removes a key, which should exist. */
  void remove(MapRef map);

  /** Updates an aggregation. */
  void aggregate(MapRef map, Aggregation aggregation);

  /** Returns the address of this CPU's accumulator for a key, inserted if it is missing. */
  Register slot(MapRef map, Label giveUp);
}
