package dev.ply.bpf.generate;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** How programs go wrong. */
enum Mistakes {
  /** They are right, and whoever knows their input can tell what they do. */
  NONE,
  /** Here and there. */
  SOME;

  /** Returns what is right, or now and then what is not, for the verifier to find. */
  <T> Arbitrary<T> mostly(int often, Arbitrary<T> right, Arbitrary<T> wrong) {
    return this == NONE
        ? right
        : Arbitraries.frequencyOf(Tuple.of(often, right), Tuple.of(1, wrong));
  }

  /** Returns whether something is tested; now and then nobody does. */
  Arbitrary<Boolean> checks() {
    return mostly(15, Arbitraries.just(true), Arbitraries.just(false));
  }
}
