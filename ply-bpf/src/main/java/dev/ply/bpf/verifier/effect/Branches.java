package dev.ply.bpf.verifier.effect;

import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Comparison;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.rule.CheckArithmetic;
import java.util.List;
import java.util.Optional;

/** Refines a state by each outcome of a conditional jump. */
final class Branches {
  private Branches() {}

  /** A feasible branch and the state on it. */
  record Branch(boolean taken, AbstractState state) {}

  static List<Branch> of(AbstractState state, Jump jump) {
    RegisterState left = state.register(jump.left());
    RegisterState right = CheckArithmetic.content(state, jump.right());
    if (left instanceof Scalar a && right instanceof Scalar b) {
      return ofNumbers(state, jump, new Comparison(jump.width(), jump.op(), a, b));
    }
    if (left instanceof Pointer pointer && isNullTest(jump)) {
      return ofPointer(state, pointer, jump.op() == JumpOp.JEQ);
    }
    return List.of(new Branch(false, state), new Branch(true, state));
  }

  private static boolean isNullTest(Jump jump) {
    return jump.width() == Width.W64
        && (jump.op() == JumpOp.JEQ || jump.op() == JumpOp.JNE)
        && jump.right().equals(new Immediate(0));
  }

  private static List<Branch> ofPointer(AbstractState state, Pointer pointer, boolean takenIfNull) {
    if (pointer.mayBeNull()) {
      AbstractState isNull = state.withNull(pointer.nullId());
      AbstractState notNull = state.withNotNull(pointer.nullId());
      return List.of(
          new Branch(false, takenIfNull ? notNull : isNull),
          new Branch(true, takenIfNull ? isNull : notNull));
    }
    // Like the kernel, concludes that other pointers are non-null from no test.
    return pointer.region() instanceof Region.MapValue
            || pointer.region() instanceof Region.RingRecord
        ? List.of(new Branch(!takenIfNull, state))
        : List.of(new Branch(false, state), new Branch(true, state));
  }

  private static List<Branch> ofNumbers(AbstractState state, Jump jump, Comparison comparison) {
    Optional<Boolean> outcome = comparison.outcome();
    if (outcome.isPresent()) {
      return List.of(new Branch(outcome.get(), state));
    }
    return List.of(
        new Branch(false, refine(state, jump, comparison.ifNotTaken())),
        new Branch(true, refine(state, jump, comparison.ifTaken())));
  }

  private static AbstractState refine(
      AbstractState state, Jump jump, Comparison.Operands operands) {
    AbstractState refined = state.withNumber(jump.left(), operands.left());
    return jump.right() instanceof Register right && !right.equals(jump.left())
        ? refined.withNumber(right, operands.right())
        : refined;
  }
}
