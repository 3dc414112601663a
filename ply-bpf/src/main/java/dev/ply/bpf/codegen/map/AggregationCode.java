package dev.ply.bpf.codegen.map;

import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.isa.Register;
import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.aggregate.ExtremeFunction;
import dev.ply.ir.Expr;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Generates the updates of an aggregation's accumulators: 64-bit words, merged over all CPUs by the
 * function.
 */
abstract class AggregationCode {
  private static final IdentityHashMap<AggregateFunction, AggregationCode> ALL =
      new IdentityHashMap<>();

  static {
    ALL.put(AggregateFunctions.COUNT, new Count());
    ALL.put(AggregateFunctions.SUM, new Sum());
    ALL.put(AggregateFunctions.AVG, new TotalAndCount());
    ALL.put(AggregateFunctions.STATS, new TotalAndCount());
    ALL.put(AggregateFunctions.MIN, new Extreme(AggregateFunctions.MIN));
    ALL.put(AggregateFunctions.MAX, new Extreme(AggregateFunctions.MAX));
    ALL.put(AggregateFunctions.QUANTIZE, new Quantize());
    ALL.put(AggregateFunctions.LHIST, new LinearHistogram());
    ALL.put(AggregateFunctions.TSERIES, new Series());
  }

  /** Returns the code generator of an aggregation. */
  static AggregationCode of(AggregateFunction function) {
    AggregationCode code = ALL.get(function);
    if (code == null) {
      throw new IllegalArgumentException("no code generator for " + function);
    }
    return code;
  }

  /** Generates an update with these arguments. */
  abstract void update(AccumulatorCompiler accumulator, List<Expr> arguments);

  private static final class Count extends AggregationCode {
    @Override
    void update(AccumulatorCompiler accumulator, List<Expr> arguments) {
      accumulator.update("added", slot -> accumulator.addForHits(slot, 0, new Constant(1)));
    }
  }

  private static final class Sum extends AggregationCode {
    @Override
    void update(AccumulatorCompiler accumulator, List<Expr> arguments) {
      ScalarCode amount = accumulator.value(arguments.get(0));
      accumulator.update("added", slot -> accumulator.addForHits(slot, 0, amount));
    }
  }

  private static final class TotalAndCount extends AggregationCode {
    @Override
    void update(AccumulatorCompiler accumulator, List<Expr> arguments) {
      ScalarCode amount = accumulator.value(arguments.get(0));
      accumulator.update(
          "averaged",
          slot -> {
            accumulator.addForHits(slot, 0, amount);
            accumulator.addForHits(slot, 1, new Constant(1));
          });
    }
  }

  private static final class Extreme extends AggregationCode {
    private final ExtremeFunction function;

    Extreme(ExtremeFunction function) {
      this.function = function;
    }

    @Override
    void update(AccumulatorCompiler accumulator, List<Expr> arguments) {
      Register word = accumulator.inverted(arguments.get(0), function);
      accumulator.update("kept", slot -> accumulator.raise(slot, 0, word));
    }
  }

  private static final class Quantize extends AggregationCode {
    @Override
    void update(AccumulatorCompiler accumulator, List<Expr> arguments) {
      count(accumulator, accumulator.buckets().logarithmic(arguments.get(0)));
    }
  }

  private static final class LinearHistogram extends AggregationCode {
    @Override
    void update(AccumulatorCompiler accumulator, List<Expr> arguments) {
      count(accumulator, accumulator.buckets().linear(arguments.get(0)));
    }
  }

  private static final class Series extends AggregationCode {
    @Override
    void update(AccumulatorCompiler accumulator, List<Expr> arguments) {
      accumulator.series().update(arguments.get(0));
    }
  }

  /** Adds one to a word. */
  private static void count(AccumulatorCompiler accumulator, Register index) {
    accumulator.update(
        "counted",
        slot -> {
          accumulator.index(slot, index);
          accumulator.addForHits(slot, 0, new Constant(1));
        });
  }
}
