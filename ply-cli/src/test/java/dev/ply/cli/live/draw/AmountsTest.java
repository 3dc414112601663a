package dev.ply.cli.live.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.live.model.Minute;
import dev.ply.table.Bucket;
import dev.ply.table.TableSchema.Unit;
import org.junit.jupiter.api.Test;

/** Numbers and bars at a glance. */
final class AmountsTest {
  private static final Look UNICODE = new Look(Look.Depth.NONE, true);

  @Test
  void numbersHaveThreeDigits() {
    assertThat(Amounts.brief(0, Unit.NONE)).isEqualTo("0");
    assertThat(Amounts.brief(1.25, Unit.NONE)).isEqualTo("1.3");
    assertThat(Amounts.brief(999, Unit.NONE)).isEqualTo("999");
    assertThat(Amounts.brief(999.7, Unit.NONE)).isEqualTo("1000");
    assertThat(Amounts.brief(1_234, Unit.NONE)).isEqualTo("1.23k");
    assertThat(Amounts.brief(999_999, Unit.BYTES)).isEqualTo("1.00M");
    assertThat(Amounts.brief(-45_678, Unit.NONE)).isEqualTo("-45.7k");
    assertThat(Amounts.brief(1_230_000, Unit.NANOSECONDS)).isEqualTo("1.23ms");
  }

  @Test
  void bucketsHaveUnits() {
    assertThat(Amounts.range(Bucket.of(16_384, 32_768, 1), Unit.NANOSECONDS, "-"))
        .isEqualTo("16us-33us");
    assertThat(Amounts.range(Bucket.of(4_096, 8_192, 1), Unit.BYTES, "-")).isEqualTo("4K-8K");
    assertThat(Amounts.range(Bucket.of(1, 2, 1), Unit.NONE, "-")).isEqualTo("1");
    assertThat(Amounts.range(Bucket.below(0, 1), Unit.NONE, "-")).isEqualTo("below 0");
    assertThat(Amounts.range(Bucket.from(100, 1), Unit.NONE, "-")).isEqualTo("from 100");
  }

  @Test
  void barsAreAsHighAsTheLargestAllows() {
    Minute minute = new Minute();
    minute.add(0, 1);
    minute.add(4, 1);
    minute.add(8, 1);
    assertThat(Sparkline.of(minute, 60, UNICODE)).isEqualTo(" ".repeat(57) + "▁▄█");
    assertThat(Sparkline.of(minute, 10, UNICODE)).isEqualTo(" ".repeat(9) + "█");
  }
}
