package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.codegen.storage.ConstantArithmetic;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.FailureCause;
import dev.ply.ir.BinaryOp;
import dev.ply.type.Type.IntType;

/** Integer arithmetic with C's semantics, on the machine's unsigned operations. */
public final class ArithmeticCode {
  private final CodeBuilder code;

  /** Emits to the end of {@code code}. */
  public ArithmeticCode(CodeBuilder code) {
    this.code = code;
  }

  /**
   * Returns the width that numbers of a type are computed in: 64 bits for types of 8 bytes, else
   * 32.
   */
  public static Width width(IntType type) {
    return type.bytes() == 8 ? Width.W64 : Width.W32;
  }

  /** Converts {@code value} from one type to another. */
  public ScalarCode convert(ScalarCode value, IntType from, IntType to) {
    if (value instanceof Constant constant) {
      return new Constant(ConstantArithmetic.extend(constant.value(), to));
    }
    if (to.bytes() < 8 || from.bytes() == 8) {
      return value;
    }
    Register wide = code.fresh();
    if (from.isSigned()) {
      code.move(wide, ((InRegister) value).register());
      code.alu(Width.W64, AluOp.LSH, wide, 32);
      code.alu(Width.W64, AluOp.ARSH, wide, 32);
    } else {
      code.alu(Width.W32, AluOp.MOV, wide, ((InRegister) value).register());
    }
    return new InRegister(wide);
  }

  /** Returns a register with the value, which must not be written. */
  public Register register(ScalarCode value) {
    if (value instanceof InRegister known) {
      return known.register();
    }
    Register register = code.fresh();
    code.constant(register, ((Constant) value).value());
    return register;
  }

  /** Returns a new register with the value, which can be written. */
  public Register copy(ScalarCode value) {
    Register copy = code.fresh();
    if (value instanceof Constant constant) {
      code.constant(copy, constant.value());
    } else {
      code.move(copy, register(value));
    }
    return copy;
  }

  /** Returns the value as an immediate if it fits, else in a register. */
  public Operand operand(ScalarCode value) {
    return value instanceof Constant constant && constant.value() == (int) constant.value()
        ? new Immediate((int) constant.value())
        : register(value);
  }

  /**
   * Returns the value as an operand of a 32- or 64-bit operation, whose immediates are truncated to
   * its width.
   */
  public Operand operand(ScalarCode value, IntType type) {
    return value instanceof Constant constant && type.bytes() < 8
        ? new Immediate((int) constant.value())
        : operand(value);
  }

  /** Returns the code of {@code -value}, in the width of {@code type}. */
  public ScalarCode negate(ScalarCode value, IntType type) {
    if (value instanceof Constant constant) {
      return new Constant(ConstantArithmetic.extend(-constant.value(), type));
    }
    Register result = copy(value);
    code.emit(new Instruction.Negate(width(type), result));
    return new InRegister(result);
  }

  /** Returns the code of {@code ~value}, in the width of {@code type}. */
  public ScalarCode complement(ScalarCode value, IntType type) {
    if (value instanceof Constant constant) {
      return new Constant(ConstantArithmetic.extend(~constant.value(), type));
    }
    Register result = copy(value);
    code.alu(width(type), AluOp.XOR, result, -1);
    return new InRegister(result);
  }

  /**
   * Returns {@code left op right} for an arithmetic or shift operator; both operands have type
   * {@code type}.
   */
  public ScalarCode binary(BinaryOp op, ScalarCode left, ScalarCode right, IntType type) {
    if (left instanceof Constant a && right instanceof Constant b) {
      return new Constant(ConstantArithmetic.fold(op, a.value(), b.value(), type));
    }
    if (op == BinaryOp.DIV || op == BinaryOp.MOD) {
      code.computations().ifPresent(errors -> check(errors, op, right, type));
    }
    if (right instanceof Constant zero && zero.value() == 0 && op == BinaryOp.DIV) {
      return new Constant(0);
    }
    if (right instanceof Constant zero && zero.value() == 0 && op == BinaryOp.MOD) {
      return left;
    }
    if ((op == BinaryOp.DIV || op == BinaryOp.MOD) && type.isSigned()) {
      return right instanceof Constant divisor
          ? divideSigned(op, left, divisor.value(), type)
          : divideSigned(op, left, right, type);
    }
    ScalarCode count =
        op.kind() == BinaryOp.Kind.SHIFT && right instanceof Constant constant
            ? new Constant(constant.value() & (type.bytes() == 8 ? 63 : 31))
            : right;
    Operand source = operand(count, type);
    Register result = copy(left);
    code.alu(width(type), operation(op, type), result, source);
    return new InRegister(result);
  }

  private static void check(ErrorReports errors, BinaryOp op, ScalarCode divisor, IntType type) {
    FailureCause.Operation division =
        op == BinaryOp.DIV ? FailureCause.Operation.DIVISION : FailureCause.Operation.REMAINDER;
    if (divisor instanceof InRegister register) {
      errors.checkZero(width(type), register.register(), division);
    } else if (((Constant) divisor).value() == 0) {
      errors.report(division, new Immediate(0));
    }
  }

  private static AluOp operation(BinaryOp op, IntType type) {
    return switch (op) {
      case OR -> AluOp.OR;
      case XOR -> AluOp.XOR;
      case AND -> AluOp.AND;
      case SHL -> AluOp.LSH;
      case SHR -> type.isSigned() ? AluOp.ARSH : AluOp.RSH;
      case ADD -> AluOp.ADD;
      case SUB -> AluOp.SUB;
      case MUL -> AluOp.MUL;
      case DIV -> AluOp.DIV;
      case MOD -> AluOp.MOD;
      case LOGICAL_OR, LOGICAL_XOR, LOGICAL_AND, EQ, NE, LT, GT, LE, GE ->
          throw new IllegalArgumentException(op + " is no arithmetic");
    };
  }

  /** Divides the magnitudes and applies the sign: signed division requires Linux 6.6. */
  private ScalarCode divideSigned(BinaryOp op, ScalarCode left, ScalarCode right, IntType type) {
    Width width = width(type);
    Register dividend = copy(left);
    Register divisor = copy(right);
    Register sign = code.fresh();
    code.move(sign, dividend);
    if (op == BinaryOp.DIV) {
      code.alu(width, AluOp.XOR, sign, divisor);
    }
    negateIfNegative(width, dividend, dividend);
    negateIfNegative(width, divisor, divisor);
    code.alu(width, op == BinaryOp.DIV ? AluOp.DIV : AluOp.MOD, dividend, divisor);
    negateIfNegative(width, sign, dividend);
    return new InRegister(dividend);
  }

  /** Like any divisor, with a known sign. */
  private ScalarCode divideSigned(BinaryOp op, ScalarCode left, long divisor, IntType type) {
    Width width = width(type);
    Operand magnitude = operand(new Constant(Math.abs(divisor)), type);
    AluOp machineOp = op == BinaryOp.DIV ? AluOp.DIV : AluOp.MOD;
    Register dividend = copy(left);
    Label positive = code.label("positive");
    Label end = code.label("divided");
    code.jump(width, JumpOp.JSGE, dividend, new Immediate(0), positive);
    code.emit(new Instruction.Negate(width, dividend));
    code.alu(width, machineOp, dividend, magnitude);
    if (op == BinaryOp.MOD || divisor > 0) {
      code.emit(new Instruction.Negate(width, dividend));
    }
    code.jump(end);
    code.place(positive);
    code.alu(width, machineOp, dividend, magnitude);
    if (op == BinaryOp.DIV && divisor < 0) {
      code.emit(new Instruction.Negate(width, dividend));
    }
    code.place(end);
    return new InRegister(dividend);
  }

  private void negateIfNegative(Width width, Register tested, Register negated) {
    Label positive = code.label("positive");
    code.jump(width, JumpOp.JSGE, tested, new Immediate(0), positive);
    code.emit(new Instruction.Negate(width, negated));
    code.place(positive);
  }

  /** Returns the jump for {@code left op right} being {@code sense}. */
  public static JumpOp jump(BinaryOp op, IntType type, boolean sense) {
    boolean signed = type.isSigned();
    return switch (op) {
      case EQ -> sense ? JumpOp.JEQ : JumpOp.JNE;
      case NE -> sense ? JumpOp.JNE : JumpOp.JEQ;
      case LT -> sense ? less(signed) : greaterOrEqual(signed);
      case GE -> sense ? greaterOrEqual(signed) : less(signed);
      case GT -> sense ? greater(signed) : lessOrEqual(signed);
      case LE -> sense ? lessOrEqual(signed) : greater(signed);
      case LOGICAL_OR, LOGICAL_XOR, LOGICAL_AND, OR, XOR, AND, SHL, SHR, ADD, SUB, MUL, DIV, MOD ->
          throw new IllegalArgumentException(op + " is no comparison");
    };
  }

  private static JumpOp less(boolean signed) {
    return signed ? JumpOp.JSLT : JumpOp.JLT;
  }

  private static JumpOp lessOrEqual(boolean signed) {
    return signed ? JumpOp.JSLE : JumpOp.JLE;
  }

  private static JumpOp greater(boolean signed) {
    return signed ? JumpOp.JSGT : JumpOp.JGT;
  }

  private static JumpOp greaterOrEqual(boolean signed) {
    return signed ? JumpOp.JSGE : JumpOp.JGE;
  }
}
