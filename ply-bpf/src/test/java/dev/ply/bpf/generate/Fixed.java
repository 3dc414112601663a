package dev.ply.bpf.generate;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCases;
import net.jqwik.api.RandomGenerator;

/**
 * An arbitrary that knows its generator. jqwik looks for a generator by the arbitrary it belongs
 * to, all that is nested in it included, each time it makes a value; for nested grammars that takes
 * longer than all the rest.
 */
final class Fixed<T> implements Arbitrary<T> {
  private static final int GENERATION_SIZE = 1000;

  private final RandomGenerator<T> generator;

  private Fixed(RandomGenerator<T> generator) {
    this.generator = generator;
  }

  /** Returns an arbitrary with the same values and the same shrinking. */
  static <T> Arbitrary<T> of(Arbitrary<T> arbitrary) {
    return new Fixed<>(arbitrary.generator(GENERATION_SIZE));
  }

  /** Returns the arbitrary of a generator. */
  static <T> Arbitrary<T> of(RandomGenerator<T> generator) {
    return new Fixed<>(generator);
  }

  @Override
  public RandomGenerator<T> generator(int genSize) {
    return generator;
  }

  @Override
  public EdgeCases<T> edgeCases(int maxEdgeCases) {
    return EdgeCases.none();
  }

  @Override
  public boolean isGeneratorMemoizable() {
    return false;
  }
}
