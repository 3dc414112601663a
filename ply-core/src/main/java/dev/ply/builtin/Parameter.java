package dev.ply.builtin;

/** The kind of argument that a built-in takes in one position. */
public enum Parameter {
  /** An integer. */
  NUMBER,
  /** A string. */
  STRING,
  /** A value of any type. */
  VALUE,
  /** An address: an integer or a pointer. */
  ADDRESS,
  /** A constant number. */
  CONSTANT,
  /** A constant size in bytes. */
  SIZE,
  /** A constant number of stack frames. */
  DEPTH,
  /** A keyword for the format of a stack trace; parsed to a string literal. */
  STACK_MODE,
  /** A kernel symbol, as a string literal. */
  SYMBOL,
  /** A field of variable length in a tracepoint's record. */
  DYNAMIC_FIELD,
  /** A whole map. */
  MAP,
  /** A format of {@code printf}, as a string literal. */
  FORMAT
}
