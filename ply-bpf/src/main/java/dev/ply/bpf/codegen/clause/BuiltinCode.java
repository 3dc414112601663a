package dev.ply.bpf.codegen.clause;

import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Label;
import dev.ply.ir.Expr;
import java.util.Optional;

/** Generates the code of a built-in's calls. */
public sealed interface BuiltinCode {
  /** Code of a value that fits a register. */
  non-sealed interface Scalar extends BuiltinCode {
    /** Computes the value, in the call's type. */
    ScalarCode compile(ClauseCode clause, Expr.Call call);
  }

  /** Code of a comparison, which is cheaper as a jump than as a value: 1 if true, else 0. */
  interface Comparison extends Scalar {
    @Override
    default ScalarCode compile(ClauseCode clause, Expr.Call call) {
      return clause.expressions().truth(call);
    }

    /** Jumps to {@code target} if the comparison is {@code sense}, else falls through. */
    void jumpIf(ClauseCode clause, Expr.Call call, boolean sense, Label target);
  }

  /** Code of a value in memory. */
  non-sealed interface InMemory extends BuiltinCode {
    /** Writes the value, {@code size} bytes. */
    void write(ClauseCode clause, Expr.Call call, Place to, int size);

    /** Writes the value to where it is kept or shown: a string that was cut is marked. */
    default void writeMarked(ClauseCode clause, Expr.Call call, Place to, int size) {
      write(clause, call, to, size);
    }

    /** Returns where the value is already in memory, if anywhere. */
    default Optional<Place> address(ClauseCode clause) {
      return Optional.empty();
    }

    /** Returns whether all bytes after the first NUL are NULs. */
    default boolean isPadded() {
      return false;
    }
  }

  /** Code that acts at once, without a value. */
  non-sealed interface Action extends BuiltinCode {
    /** Acts. */
    void run(ClauseCode clause, Expr.Call call);
  }

  /** Code that sends an event. */
  non-sealed interface Event extends BuiltinCode {
    /** Sends the event. */
    void send(ClauseCode clause, Expr.Call call);
  }
}
