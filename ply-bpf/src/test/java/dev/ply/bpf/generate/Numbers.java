package dev.ply.bpf.generate;

import dev.ply.type.TextBytes;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Arbitrary numbers and texts, more often than not those where programs go wrong first. */
public final class Numbers {
  private static final Long[] EDGES =
      Arrays.stream(
              new long[] {
                0,
                1,
                2,
                7,
                31,
                32,
                63,
                64,
                127,
                128,
                255,
                256,
                32767,
                32768,
                65535,
                0x7fffffffL,
                0x80000000L,
                0xffffffffL,
                0x100000000L,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                -1,
                -2,
                -7,
                -128,
                -32768,
                -0x80000000L
              })
          .boxed()
          .toArray(Long[]::new);

  private Numbers() {}

  /** Returns 64-bit numbers: small ones, those around the limits of types, any. */
  public static Arbitrary<Long> longs() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, Arbitraries.of(EDGES)),
        Tuple.of(1, Arbitraries.longs().between(-50, 49)),
        Tuple.of(1, Arbitraries.longs()));
  }

  /** Returns 32-bit numbers of that kind. */
  public static Arbitrary<Integer> ints() {
    return longs().map(Long::intValue);
  }

  /** Returns texts of up to that many bytes, of which many are equal or begin alike. */
  public static Arbitrary<String> texts(int longest) {
    return Arbitraries.of(
            "",
            "a",
            "b",
            "ab",
            "dd",
            "abc",
            "abcd",
            "abcdefg",
            "abcdefgh",
            "abcdefghi",
            "abcdefghijklmno",
            "\u00e9t\u00e9")
        .filter(text -> TextBytes.encode(text).length <= longest);
  }
}
