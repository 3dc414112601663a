package dev.ply.bpf.generate;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** The pieces that programs are put together from. */
final class Pieces {
  private Pieces() {}

  /** Returns pieces of all kinds; what cannot be predicted is a mistake. */
  static Arbitrary<Piece> simple(Mistakes mistakes) {
    MemoryPieces memory = new MemoryPieces(mistakes);
    MapPieces maps = new MapPieces(mistakes);
    CallPieces calls = new CallPieces(mistakes);
    Arbitrary<Piece> predictable =
        Arbitraries.frequencyOf(
            Tuple.of(8, new ArithmeticPieces(mistakes).any()),
            Tuple.of(4, Piece.one(memory.stack())),
            Tuple.of(2, Piece.one(memory.context())),
            Tuple.of(1, memory.eitherWay()),
            Tuple.of(2, Piece.one(calls.helpers())),
            Tuple.of(3, maps.arrayLookup()),
            Tuple.of(2, maps.hash()),
            Tuple.of(1, maps.table()),
            Tuple.of(1, calls.record()),
            Tuple.of(1, calls.localCall()));
    return mistakes.mostly(24, predictable, calls.probeRead());
  }
}
