package dev.ply.bpf.codegen.clause;

import dev.ply.bpf.codegen.clause.Texts.Text;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Label;
import dev.ply.ir.Expr;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;

/** Compiles strings: NUL-terminated character arrays of fixed size in memory. */
public interface Texts {
  /**
   * A string in memory.
   *
   * @param padded whether all bytes after the first NUL are known to be NULs, so that doublewords
   *     can be compared
   */
  record Text(Place place, int size, boolean padded) {}

  /**
   * Writes a string of {@code size} bytes, padded with NULs; {@code size} is at least that of the
   * expression's type.
   */
  void write(Expr expr, Place to, int size);

  /**
   * Writes a string of {@link Encoding.EncodedOrText}.
   *
   * @param type that of all strings that can be there
   */
  void writeChoice(Expr expr, Place to, Type type);

  /** Returns a string, or a copy, of which bytes can be loaded at computed offsets. */
  Text indexed(Expr expr);

  /** Returns a string that has a NUL, or a copy with one. */
  Text terminated(Expr expr);

  /** Returns the number that an array of 1, 2, 4 or 8 bytes is in memory. */
  ScalarCode number(Expr bytes);

  /** Returns the location of a string, or of a copy. */
  Place place(Expr expr);

  /**
   * Jumps to {@code target} if the equality of two strings is {@code sense}, else falls through.
   */
  void jumpIfEqual(Expr left, Expr right, boolean sense, Label target);

  /**
   * Jumps to {@code target} if the equality of the first bytes of two strings is {@code sense},
   * else falls through.
   *
   * @param length the maximum number of bytes to compare
   */
  void jumpIfEqual(Expr left, Expr right, int length, boolean sense, Label target);

  /**
   * Jumps to {@code target} if the equality of two buffers is {@code sense}, else falls through.
   * The bytes after those of a buffer are NULs, so that the shorter capacity's are enough.
   */
  void jumpIfSameBuffers(Expr left, Expr right, boolean sense, Label target);

  /** Jumps to {@code differ} if two strings in memory are not equal. */
  void jumpIfDifferent(Place a, ArrayType type, Place b, ArrayType other, Label differ);

  /** Computes -1, 0 or 1 for the order of two strings. */
  ScalarCode compare(Expr left, Expr right);

  /**
   * Computes -1, 0 or 1 for the order of the first bytes of two values, of which both have so many.
   */
  ScalarCode compareBytes(Expr left, Expr right, int size);
}
