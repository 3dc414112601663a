package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;

/** What must hold before an instruction for it to be safe. */
sealed interface Requirement {
  <R> R accept(Visitor<R> visitor);

  /** A function over requirements with one case for each kind. */
  interface Visitor<R> {
    R visit(Initialized requirement);

    R visit(NotFramePointer requirement);

    R visit(Memory requirement);

    R visit(Storable requirement);

    R visit(NonZeroDivisor requirement);

    R visit(ShiftCount requirement);

    R visit(Arithmetic requirement);

    R visit(PlainNumber requirement);

    R visit(Offered requirement);

    R visit(Argument requirement);

    R visit(KnownMap requirement);

    R visit(KnownValue requirement);

    R visit(Result requirement);

    R visit(Supported requirement);

    R visit(FrameLeft requirement);
  }

  /** The register was written. */
  record Initialized(Register register) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The register may be written. */
  record NotFramePointer(Register register) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The memory at a register plus an offset may be accessed in that way. */
  record Memory(Access access, Register base, int offset, int size) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The source's content can be stored in that size at that base. */
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

  /** The operation is possible on what the operands hold. */
  record Arithmetic(Width width, AluOp op, Register left, Operand right) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The register holds a number. */
  record PlainNumber(Register register, String operation) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Programs of this type may call the helper. */
  record Offered(Helper helper) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The argument, counted from 1, is what the helper takes. */
  record Argument(Helper helper, int position) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** There is a map of that name. */
  record KnownMap(String name) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** There is an array of that name, with that offset in its first value. */
  record KnownValue(String name, int offset) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The function may end: r0 is a result, and no record is left. */
  record Result() implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Something tracing programs do not have; never holds. */
  record Supported(String message) implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** One more function may be entered. */
  record FrameLeft() implements Requirement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
