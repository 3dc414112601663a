package dev.ply.bpf.codegen.map;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.ir.Expr;
import dev.ply.table.BucketHistogram;
import dev.ply.type.Type.IntType;

/** Compiles the index of the histogram bucket of a value. */
final class BucketCompiler {
  private final ClauseCode clause;
  private final CodeBuilder code;
  private final AggregateShape shape;

  BucketCompiler(ClauseCode clause, AggregateShape shape) {
    this.clause = clause;
    this.code = clause.code();
    this.shape = shape;
  }

  /** Computes the bucket of {@code lhist}. */
  Register linear(Expr value) {
    long min = shape.constant(0);
    long max = shape.constant(1);
    long step = shape.constant(2);
    Register rest = clause.arithmetic().copy(clause.expressions().scalar(value, shape.valueType()));
    Register index = code.fresh();
    Label end = code.label("bucket");
    code.constant(index, 0);
    code.jump(Width.W64, JumpOp.JSLT, rest, operand(min), end);
    code.constant(index, BucketHistogram.linearBuckets(min, max, step) + 1);
    code.jump(Width.W64, JumpOp.JSGE, rest, operand(max), end);
    code.move(index, rest);
    if (min != 0) {
      code.alu(Width.W64, AluOp.SUB, index, operand(min));
    }
    if (Long.bitCount(step) == 1) {
      code.alu(Width.W64, AluOp.RSH, index, Long.numberOfTrailingZeros(step));
    } else {
      code.alu(Width.W64, AluOp.DIV, index, operand(step));
    }
    code.alu(Width.W64, AluOp.ADD, index, 1);
    code.place(end);
    return index;
  }

  private Operand operand(long value) {
    if (value == (int) value) {
      return new Immediate((int) value);
    }
    Register wide = code.fresh();
    code.constant(wide, value);
    return wide;
  }

  /** Computes the bucket of {@code quantize}. */
  Register logarithmic(Expr value) {
    IntType own = clause.expressions().typeOf(value);
    ScalarCode number = clause.expressions().scalar(value, IntType.of(8, own.signedness()));
    IntType mapType = shape.valueType();
    boolean mayBeNegative = own.isSigned() || (own.bytes() == 8 && mapType.isSigned());
    int negative = AggregateFunctions.QUANTIZE.words(shape) - 1;
    return shape.constants().isEmpty()
        ? significantBits(number, own.bytes(), mayBeNegative, negative)
        : divided(number, own.bytes(), mayBeNegative, negative, (int) shape.constant(0));
  }

  /** Computes the bucket where powers of two are divided into {@code 2^bits} ranges. */
  private Register divided(
      ScalarCode value, int bytes, boolean mayBeNegative, int negative, int bits) {
    Register rest = clause.arithmetic().copy(value);
    Register index = code.fresh();
    Label end = code.label("bucket");
    if (mayBeNegative) {
      code.constant(index, negative);
      code.jump(Width.W64, JumpOp.JSLT, rest, new Immediate(0), end);
    }
    code.move(index, rest);
    code.jump(Width.W64, JumpOp.JLT, rest, new Immediate(1 << bits), end);
    Register exponent = code.fresh();
    shiftOut(clause.arithmetic().copy(new InRegister(rest)), exponent, bytes);
    code.alu(Width.W64, AluOp.SUB, exponent, bits);
    code.alu(Width.W64, AluOp.RSH, rest, exponent);
    code.move(index, exponent);
    code.alu(Width.W64, AluOp.LSH, index, bits);
    code.alu(Width.W64, AluOp.ADD, index, rest);
    code.place(end);
    return index;
  }

  /**
   * Computes the number of significant bits of a value, 0 for zero.
   *
   * @param bytes the size of the value's type; other bytes are zero unless it is negative
   * @param negative the index of negative values
   */
  private Register significantBits(
      ScalarCode value, int bytes, boolean mayBeNegative, int negative) {
    Register index = code.fresh();
    if (value instanceof Constant constant) {
      long known = constant.value();
      code.constant(
          index,
          known < 0 && mayBeNegative ? negative : Long.SIZE - Long.numberOfLeadingZeros(known));
      return index;
    }
    Register rest = clause.arithmetic().copy(value);
    Label end = code.label("bucket");
    if (mayBeNegative) {
      code.constant(index, negative);
      code.jump(Width.W64, JumpOp.JSLT, rest, new Immediate(0), end);
    }
    shiftOut(rest, index, bytes);
    // The remaining bit is the highest one, or zero; verifiers know neither bound.
    code.alu(Width.W64, AluOp.AND, index, negative - 1);
    code.alu(Width.W64, AluOp.AND, rest, 1);
    code.alu(Width.W64, AluOp.ADD, index, rest);
    code.place(end);
    return index;
  }

  /** Computes the position of a value's highest bit, 0 for zero, and shifts the value by it. */
  private void shiftOut(Register rest, Register position, int bytes) {
    // A zero that verifiers do not recognise as one. From a known start they would follow each of
    // the 64 paths separately, one per bucket.
    code.move(position, rest);
    code.alu(Width.W64, AluOp.SUB, position, rest);
    for (int step = bytes * 4; step >= 1; step /= 2) {
      Label small = code.label("small");
      if (step == 32) {
        // No immediate reaches 2^32: the upper half decides.
        Register upper = code.fresh();
        code.move(upper, rest);
        code.alu(Width.W64, AluOp.RSH, upper, 32);
        code.jump(Width.W64, JumpOp.JEQ, upper, new Immediate(0), small);
      } else {
        code.jump(Width.W64, JumpOp.JLT, rest, new Immediate(1 << step), small);
      }
      code.alu(Width.W64, AluOp.RSH, rest, step);
      code.alu(Width.W64, AluOp.ADD, position, step);
      code.place(small);
    }
  }
}
