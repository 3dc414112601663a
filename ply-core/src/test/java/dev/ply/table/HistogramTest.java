package dev.ply.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.type.Type.IntType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What histograms know of their values: limits that hold for all of them. */
class HistogramTest {
  private static Histogram signed(List<Long> values) {
    long[] counts = new long[Histogram.BUCKETS];
    values.stream().filter(value -> value >= 0).forEach(v -> counts[Histogram.bucketOf(v)]++);
    long negative = values.stream().filter(value -> value < 0).count();
    long zeros = values.stream().filter(value -> value == 0).count();
    return new Histogram(IntType.S64, negative, zeros, counts);
  }

  @Property
  void limitsHoldForAnyValues(
      @ForAll @Size(min = 1, max = 50) List<Long> values,
      @ForAll @DoubleRange(min = 0, max = 100) double percent) {
    Histogram histogram = signed(values);
    List<Long> sorted = values.stream().sorted().toList();
    int rank = Math.max(1, (int) Math.ceil(percent / 100 * sorted.size()));

    assertThat(histogram.count()).isEqualTo(values.size());
    assertThat(histogram.percentile(percent).contains(sorted.get(rank - 1))).isTrue();
    assertThat(histogram.min().contains(sorted.get(0))).isTrue();
    assertThat(histogram.max().contains(sorted.get(sorted.size() - 1))).isTrue();
    BigInteger sum =
        values.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
    Range limits = histogram.sum();
    // Limits beyond 64 bits are clamped.
    assertThat(limits.low() == Long.MIN_VALUE || big(limits.low()).compareTo(sum) <= 0).isTrue();
    assertThat(limits.high() == Long.MAX_VALUE || big(limits.high()).compareTo(sum) >= 0).isTrue();
    assertThat(histogram.buckets().stream().mapToLong(Bucket::count).sum())
        .isEqualTo(values.size());
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  @Property
  void sumsAndDifferencesAreThoseOfTheValues(
      @ForAll @Size(max = 20) List<Long> some, @ForAll @Size(max = 20) List<Long> others) {
    Histogram all = signed(Stream.concat(some.stream(), others.stream()).toList());

    assertThat(signed(some).plus(signed(others))).isEqualTo(all);
    assertThat(all.minus(signed(some))).isEqualTo(signed(others));
  }

  @Property
  void finerRangesHaveNarrowerLimits(@ForAll @Size(min = 1, max = 50) List<Integer> values) {
    int bits = 3;
    long[] counts = new long[1 << 10];
    long[] sorted = values.stream().mapToLong(value -> value & 0xffff).sorted().toArray();
    BucketHistogram empty = BucketHistogram.logLinear(bits, IntType.U32, counts);
    for (long value : sorted) {
      for (int i = 0; i < empty.buckets().size(); i++) {
        Bucket bucket = empty.buckets().get(i);
        if (value >= bucket.low().orElse(0)
            && (bucket.high().isEmpty() || value < bucket.high().getAsLong())) {
          counts[i]++;
        }
      }
    }
    BucketHistogram histogram = BucketHistogram.logLinear(bits, IntType.U32, counts);
    Range median = histogram.percentile(50);

    assertThat(median.contains(sorted[(sorted.length + 1) / 2 - 1])).isTrue();
    assertThat(median.high() - median.low()).isLessThanOrEqualTo(median.low() >> bits);
    assertThat(histogram.plus(histogram).minus(histogram)).isEqualTo(histogram);
    assertThat(histogram.sum().contains(Arrays.stream(sorted).sum())).isTrue();
  }

  @Test
  void percentilesOfLatencies() {
    Histogram latencies = signed(List.of(0L, 1L, 5L, 6L, 7L, 100L, 100L, 100L, 100L, 5000L));

    assertThat(latencies.percentile(50)).isEqualTo(new Range(4, 7));
    assertThat(latencies.percentile(90)).isEqualTo(new Range(64, 127));
    assertThat(latencies.max()).isEqualTo(new Range(4096, 8191));
    assertThat(latencies.min()).isEqualTo(new Range(0, 0));
    assertThat(latencies.percentile(90).middle()).isEqualTo(95);
    assertThat(latencies.percentile(90).error()).isEqualTo(32);
    assertThat(latencies.percentile(90).contains(63)).isFalse();
    assertThat(latencies.percentile(90).contains(128)).isFalse();
    assertThat(latencies.buckets().get(0)).isEqualTo(Bucket.of(0, 1, 1));
  }

  @Test
  void unsignedValuesReachTheEndOf64Bits() {
    long[] counts = new long[Histogram.BUCKETS];
    counts[63] = 1;
    Histogram histogram = new Histogram(IntType.U64, 0, 0, counts);

    assertThat(histogram.max()).isEqualTo(new Range(Long.MIN_VALUE, -1));
    assertThat(histogram.sum()).isEqualTo(new Range(Long.MIN_VALUE, -1));
  }

  @Test
  void negativeValuesReachToTheTypesStart() {
    Histogram histogram = new Histogram(IntType.S32, 1, 0, new long[0]);

    assertThat(histogram.min()).isEqualTo(new Range(Integer.MIN_VALUE, -1));
  }

  @Test
  void whatCannotBeKnownIsAnError() {
    Histogram empty = new Histogram(IntType.S64, 0, 0, new long[0]);

    assertThatThrownBy(() -> empty.percentile(50))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without values");
    assertThatThrownBy(() -> empty.percentile(101)).hasMessageContaining("from 0 to 100");
    assertThatThrownBy(() -> empty.minus(signed(List.of(5L))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot lose 1");
    assertThatThrownBy(() -> empty.plus(new Histogram(IntType.U64, 0, 0, new long[0])))
        .hasMessageContaining("s64 and u64");
  }
}
