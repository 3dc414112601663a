package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import java.util.Optional;

/** Checks pointer arithmetic by the kernel's rules. */
public final class CheckArithmetic {
  private CheckArithmetic() {}

  /** Returns what is wrong with an operation; empty if the verifier accepts it. */
  public static Optional<String> check(AbstractState state, Requirement.Arithmetic requirement) {
    RegisterState left = state.register(requirement.left());
    RegisterState right = content(state, requirement.right());
    boolean subtracts = requirement.op() == AluOp.SUB;
    if (left instanceof Pointer && right instanceof Pointer) {
      return subtracts
          ? Optional.empty()
          : Optional.of(
              "two pointers, "
                  + requirement.left()
                  + " and "
                  + requirement.right()
                  + ", can only be subtracted");
    }
    if (left instanceof Pointer pointer && right instanceof Scalar distance) {
      return checkMove(requirement, requirement.left(), pointer, distance);
    }
    if (left instanceof Scalar distance && right instanceof Pointer pointer) {
      return subtracts && requirement.width() == Width.W64
          ? Optional.of("a pointer cannot be subtracted from the number in " + requirement.left())
          : checkMove(requirement, (Register) requirement.right(), pointer, distance);
    }
    return Optional.empty();
  }

  /** Returns the state of an operand; a constant is known. */
  public static RegisterState content(AbstractState state, Operand operand) {
    return operand instanceof Register register
        ? state.register(register)
        : Scalar.constant(((Immediate) operand).value());
  }

  private static Optional<String> checkMove(
      Requirement.Arithmetic requirement, Register register, Pointer pointer, Scalar distance) {
    AluOp op = requirement.op();
    if (requirement.width() == Width.W32) {
      return op == AluOp.SUB
          ? Optional.empty()
          : Optional.of(register + " is a pointer, which 32-bit arithmetic would truncate");
    }
    if (op != AluOp.ADD && op != AluOp.SUB) {
      return Optional.of(register + " is a pointer: only + and - are allowed, not " + op.symbol());
    }
    if (pointer.mayBeNull()) {
      return Optional.of(register + " may be null; test it before arithmetic");
    }
    if (pointer.region() instanceof Region.Map || pointer.region() instanceof Region.Function) {
      return Optional.of(
          register
              + " is "
              + pointer.region().describe()
              + " itself; arithmetic on it is not allowed");
    }
    if (pointer.region() instanceof Region.Stack && op == AluOp.SUB) {
      return Optional.of(
          "the kernel does not subtract from stack pointers; add a negative number to " + register);
    }
    return checkDistance(register, pointer, distance, op);
  }

  private static Optional<String> checkDistance(
      Register register, Pointer pointer, Scalar distance, AluOp op) {
    long limit = CheckMemory.OFFSET_LIMIT;
    if (distance.range().smin() <= -limit || distance.range().smax() >= limit) {
      return Optional.of(
          "the number added to the pointer "
              + register
              + " is not bounded; compare it or mask it first");
    }
    Pointer moved = pointer.moved(op, distance);
    long min = moved.offset() + moved.variable().range().smin();
    long max = moved.offset() + moved.variable().range().smax();
    return min <= -limit || max >= limit
        ? Optional.of("the pointer " + register + " would be too far from its region")
        : Optional.empty();
  }
}
