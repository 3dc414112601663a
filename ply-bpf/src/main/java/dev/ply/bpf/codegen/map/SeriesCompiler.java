package dev.ply.bpf.codegen.map;

import static dev.ply.builtin.aggregate.TimeSeriesFunction.NUMBER;
import static dev.ply.builtin.aggregate.TimeSeriesFunction.VALUE;
import static dev.ply.builtin.aggregate.TimeSeriesFunction.WEIGHT;

import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.aggregate.TimeSeriesFunction;
import dev.ply.ir.Expr;
import dev.ply.table.TimeSeries.Reduction;

/**
 * Compiles the updates of time series. The words of an interval that has ended are those of a new
 * one; its number is stored last, so that whoever reads meanwhile sees no interval with the value
 * of another. Two programs on one CPU that interrupt each other while an interval begins may lose
 * one of their values.
 */
final class SeriesCompiler {
  private final AccumulatorCompiler accumulator;
  private final CodeBuilder code;
  private final AggregateShape shape;

  SeriesCompiler(AccumulatorCompiler accumulator, CodeBuilder code, AggregateShape shape) {
    this.accumulator = accumulator;
    this.code = code;
    this.shape = shape;
  }

  private Reduction reduction() {
    return TimeSeriesFunction.reduction(shape);
  }

  /** Compiles an update at the time at which it runs. */
  void update(Expr expr) {
    Register value =
        switch (reduction()) {
          case LAST, AVG, SUM -> accumulator.copy(expr);
          case MIN -> accumulator.inverted(expr, AggregateFunctions.MIN);
          case MAX -> accumulator.inverted(expr, AggregateFunctions.MAX);
        };
    Register now = code.callForResult(Helper.KTIME_GET_BOOT_NS);
    Register number = code.fresh();
    code.move(number, now);
    code.alu(Width.W64, AluOp.DIV, number, operand(TimeSeriesFunction.interval(shape)));
    code.alu(Width.W64, AluOp.ADD, number, 1);
    accumulator.update("series", slot -> update(slot, value, now, number));
  }

  private Operand operand(long value) {
    if (value == (int) value) {
      return new Immediate((int) value);
    }
    Register wide = code.fresh();
    code.constant(wide, value);
    return wide;
  }

  private void update(Register slot, Register value, Register now, Register number) {
    Label updated = code.label("in_series");
    Label same = code.label("same_interval");
    int intervals = TimeSeriesFunction.intervals(shape);
    Register place = code.fresh();
    code.move(place, number);
    code.alu(Width.W64, AluOp.MOD, place, intervals);
    // Verifiers of older kernels do not know the bounds of a remainder.
    code.jump(Width.W64, JumpOp.JGE, place, new Immediate(intervals), updated);
    code.alu(Width.W64, AluOp.MUL, place, TimeSeriesFunction.wordsEach(shape) * Long.BYTES);
    code.alu(Width.W64, AluOp.ADD, slot, place);
    Register old = code.fresh();
    code.load(Size.DW, old, word(slot, NUMBER));
    code.jump(Width.W64, JumpOp.JEQ, old, number, same);
    code.store(Size.DW, word(slot, NUMBER), new Immediate(0));
    code.store(Size.DW, word(slot, VALUE), value);
    switch (reduction()) {
      case LAST -> code.store(Size.DW, word(slot, WEIGHT), now);
      case AVG -> code.store(Size.DW, word(slot, WEIGHT), new Immediate(1));
      case SUM, MIN, MAX -> {}
    }
    code.store(Size.DW, word(slot, NUMBER), number);
    code.jump(updated);
    code.place(same);
    switch (reduction()) {
      case LAST -> {
        code.store(Size.DW, word(slot, VALUE), value);
        code.store(Size.DW, word(slot, WEIGHT), now);
      }
      case AVG -> {
        accumulator.add(slot, VALUE, new InRegister(value));
        accumulator.add(slot, WEIGHT, new Constant(1));
      }
      case SUM -> accumulator.add(slot, VALUE, new InRegister(value));
      case MIN, MAX -> accumulator.raise(slot, VALUE, value);
    }
    code.place(updated);
  }

  private static Place word(Register slot, int index) {
    return new Place(slot, index * Long.BYTES);
  }
}
