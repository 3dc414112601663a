package dev.ply.bpf.generate;

import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

/**
 * Shrinks values by their own structure, whatever choices made them: what is left out of a script
 * is left out, and the rest stays as it is.
 */
final class StructuralShrinking {
  private StructuralShrinking() {}

  /**
   * Returns an arbitrary with the same values.
   *
   * @param smaller gives values that are smaller by one step, the best first
   * @param size measures values; a smaller one has a smaller size
   */
  static <T> Arbitrary<T> of(
      Arbitrary<T> values, Function<T, Stream<T>> smaller, ToLongFunction<T> size) {
    RandomGenerator<T> generator = values.generator(1000);
    return Fixed.of(random -> new Structural<>(generator.next(random).value(), smaller, size));
  }

  private record Structural<T>(T value, Function<T, Stream<T>> smaller, ToLongFunction<T> size)
      implements Shrinkable<T> {
    @Override
    public Stream<Shrinkable<T>> shrink() {
      long own = size.applyAsLong(value);
      return smaller
          .apply(value)
          .filter(candidate -> size.applyAsLong(candidate) < own)
          .map(candidate -> new Structural<>(candidate, smaller, size));
    }

    @Override
    public ShrinkingDistance distance() {
      return ShrinkingDistance.of(size.applyAsLong(value));
    }
  }
}
