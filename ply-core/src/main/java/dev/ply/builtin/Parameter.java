package dev.ply.builtin;

import dev.ply.table.StackMode;
import dev.ply.target.ClockMode;
import dev.ply.target.PidScope;

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
  /** A constant string, as a string literal. */
  LITERAL,
  /** A constant size in bytes. */
  SIZE,
  /** A constant number of stack frames. */
  DEPTH,
  /**
   * A keyword for the format of a stack trace, or how its frames are found; parsed to a string
   * literal.
   */
  STACK_MODE {
    @Override
    boolean isKeyword(String word) {
      return StackMode.named(word).isPresent() || StackWalk.named(word).isPresent();
    }
  },
  /** The keyword for both the kernel's stack and the user stack; parsed to a string literal. */
  STACK_SIDES {
    @Override
    boolean isKeyword(String word) {
      return word.equals(StackShape.BOTH);
    }
  },
  /** A keyword for a PID namespace; parsed to a string literal. */
  PID_SCOPE {
    @Override
    boolean isKeyword(String word) {
      return PidScope.named(word).isPresent();
    }
  },
  /** A keyword for a clock; parsed to a string literal. */
  CLOCK {
    @Override
    boolean isKeyword(String word) {
      return ClockMode.named(word).isPresent();
    }
  },
  /** A symbol, as a string literal. */
  SYMBOL,
  /** The directory of a cgroup, as a string literal. */
  CGROUP,
  /** A field of variable length in a tracepoint's record. */
  DYNAMIC_FIELD,
  /** A whole map. */
  MAP,
  /** An entry of a map: {@code @m[key]}, or the map and the key: {@code @m, key}. */
  ENTRY,
  /** A scratch variable, which the call assigns to. */
  SCRATCH,
  /** A format of {@code printf}, as a string literal. */
  FORMAT;

  /** Returns whether a name is a keyword of this parameter. */
  boolean isKeyword(String word) {
    return false;
  }
}
