package dev.ply.bpf.reference;

import dev.ply.builtin.AggregateShape;
import java.math.BigInteger;
import java.util.List;

/** What the value of an interval of a time series is. */
final class SeriesMeaning {
  private SeriesMeaning() {}

  /** Returns the value of an interval with these values, at least one, in their order. */
  static long of(AggregateShape shape, List<CInteger> values) {
    List<BigInteger> numbers = values.stream().map(CInteger::value).toList();
    BigInteger sum = numbers.stream().reduce(BigInteger.ZERO, BigInteger::add);
    BigInteger wrapped = CInteger.of(sum, Long.SIZE, shape.valueType().isSigned()).value();
    BigInteger result =
        switch ((int) shape.constant(2)) {
          case 0 -> numbers.get(numbers.size() - 1);
          case 1 -> wrapped.divide(BigInteger.valueOf(values.size()));
          case 2 -> wrapped;
          case 3 -> numbers.stream().min(BigInteger::compareTo).orElseThrow();
          case 4 -> numbers.stream().max(BigInteger::compareTo).orElseThrow();
          default -> throw new IllegalArgumentException("no meaning of " + shape);
        };
    return result.longValue();
  }
}
