package dev.ply.builtin;

/** What a built-in takes in one of its argument positions. */
public enum Parameter {
  /** An integer. */
  NUMBER,
  /** A string. */
  STRING,
  /** A value of any type. */
  VALUE,
  /** An address: an integer or a pointer. */
  ADDRESS,
  /** A size in bytes, written out. */
  SIZE,
  /** A number of stack frames, written out. */
  DEPTH,
  /** A keyword that says how a stack trace prints; the parser makes a string literal of it. */
  STACK_MODE,
  /** A name of the kernel's, as a string literal. */
  SYMBOL,
  /** A field of variable length of the tracepoint's record. */
  DYNAMIC_FIELD,
  /** A whole map. */
  MAP,
  /** A format as of C's {@code printf}, as a string literal. */
  FORMAT
}
