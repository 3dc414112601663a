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
    Region region = pointer.region();
    String name;
    if (region instanceof Region.Stack stack) {
      name = stack.frame() == 0 ? "fp" : "fp[" + stack.frame() + "]";
    } else if (region instanceof Region.Context) {
      name = "ctx";
    } else if (region instanceof Region.Map map) {
      name = "map(" + map.map().name() + ")";
    } else if (region instanceof Region.MapValue value) {
      name = "value(" + value.map().name() + ")";
    } else if (region instanceof Region.MapKey key) {
      name = "key(" + key.map().name() + ")";
    } else if (region instanceof Region.Function function) {
      name = "function(" + function.label() + ")";
    } else if (region instanceof Region.KernelObject object) {
      name = "kernel(" + object.struct().tag() + ")";
    } else if (region instanceof Region.KernelMemory) {
      name = "kernel";
    } else {
      name = "record";
    }
    long offset = pointer.offset() + pointer.variable().constantValue().orElse(0L);
    return name
        + (offset > 0 ? "+" + offset : offset < 0 ? Long.toString(offset) : "")
        + (pointer.hasConstantOffset() ? "" : "+" + printNumber(pointer.variable()))
        + (pointer.mayBeNull() ? " or null" : "");
  }
}
