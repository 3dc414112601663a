package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.Width;

/** Prints the abstract state of a register. */
final class RegisterPrinter {
  private RegisterPrinter() {}

  static String print(RegisterState state) {
    if (state instanceof Scalar scalar) {
      return printNumber(scalar);
    } else if (state instanceof RegisterState.Pointer pointer) {
      return printPointer(pointer);
    }
    return "?";
  }

  private static String printNumber(Scalar scalar) {
    if (scalar.isConstant()) {
      return Long.toString(scalar.bits().value());
    }
    ScalarRange range = scalar.range();
    if (range.equals(ScalarRange.top(Width.W64))) {
      return "number";
    }
    if (range.smin() >= 0 || range.smin() == Long.MIN_VALUE) {
      return "number("
          + Long.toUnsignedString(range.umin())
          + ".."
          + Long.toUnsignedString(range.umax())
          + ")";
    }
    return "number(" + range.smin() + ".." + range.smax() + ")";
  }

  private static String printPointer(RegisterState.Pointer pointer) {
    long offset = pointer.offset() + pointer.variable().constantValue().orElse(0L);
    return pointer.region().notation()
        + (offset > 0 ? "+" + offset : offset < 0 ? Long.toString(offset) : "")
        + (pointer.hasConstantOffset() ? "" : "+" + printNumber(pointer.variable()))
        + (pointer.mayBeNull() ? " or null" : "");
  }
}
