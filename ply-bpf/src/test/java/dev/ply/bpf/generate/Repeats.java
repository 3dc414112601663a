package dev.ply.bpf.generate;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;

/**
 * Says again what has been said: a program that computes something twice, or reads, changes and
 * reads an entry, is where what is shared between two places goes wrong.
 *
 * <p>Values are made at once and do not shrink; what they are in is shrunk by its structure.
 */
final class Repeats<T> {
  private static final int GENERATION_SIZE = 1000;

  private final List<T> said = new ArrayList<>();

  /** Returns these values, half of them such that have been there since the last start. */
  Arbitrary<T> of(Arbitrary<T> values) {
    RandomGenerator<T> generator = values.generator(GENERATION_SIZE);
    return Fixed.of(
        random -> {
          if (said.isEmpty() || random.nextBoolean()) {
            said.add(generator.next(random).value());
            return Shrinkable.unshrinkable(said.get(said.size() - 1));
          }
          return Shrinkable.unshrinkable(said.get(random.nextInt(said.size())));
        });
  }

  /** Returns values, each of which starts with nothing said. */
  <S> Arbitrary<S> startingWith(Arbitrary<S> values) {
    RandomGenerator<S> generator = values.generator(GENERATION_SIZE);
    return Fixed.of(
        random -> {
          said.clear();
          return Shrinkable.unshrinkable(generator.next(random).value());
        });
  }
}
