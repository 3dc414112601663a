package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.verifier.memory.Access;

/** A precondition for an instruction to be safe. */
public sealed interface Requirement {
  <R> R accept(Visitor<R> visitor);

  /** An exhaustive case distinction. */
  interface Visitor<R> {
    R visit(Initialized requirement);

    R visit(NotFramePointer requirement);

    R visit(Memory requirement);

    R visit(Storable requirement);

    R visit(NonZeroDivisor requirement);

    R visit(ShiftCount requirement);

    R visit(Arithmetic requirement);

    R visit(IsScalar requirement);

    R visit(Offered requirement);

    R visit(Argument requirement);

    R visit(KnownMap requirement);

    R visit(KnownValue requirement);

    R visit(Result requirement);

    R visit(FrameLeft requirement);
  }

  /** The register is initialised. */
  record Initialized(Register register) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The register is writable: not r10. */
  record NotFramePointer(Register register) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The memory access is safe. */
  record Memory(Access access, Register base, int offset, int size) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The register can be stored with that size at that base: pointers only whole. */
  record Storable(Register base, int size, Register source) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The constant divisor is not zero. */
  record NonZeroDivisor(int divisor) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The constant count is less than the width. */
  record ShiftCount(Width width, int count) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The operands allow the operation. */
  record Arithmetic(Width width, AluOp op, Register left, Operand right) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The register is a scalar. */
  record IsScalar(Register register, String operation) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The program type may call the helper. */
  record Offered(Helper helper) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The argument, from 1, is valid for the helper. */
  record Argument(Helper helper, int position) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The map exists. */
  record KnownMap(String name) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The map is an array whose first value has that offset. */
  record KnownValue(String name, int offset) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The function may return: r0 is valid, and no record is unreleased. */
  record Result() implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The call depth allows another call. */
  record FrameLeft() implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
