package dev.ply.cli.live.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.table.Datum;
import dev.ply.table.Histogram;
import dev.ply.table.Key;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Column;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Readings of maps, and what they say about the last minute. */
final class MapHistoryTest {
  private static final long SECOND = 1_000_000_000L;

  private static MapHistory map(String aggregation) {
    TableSchema schema =
        new TableSchema(
            "@",
            List.of(new Column("pid", IntType.U64, Unit.NONE)),
            IntType.U64,
            Optional.of(aggregation),
            Unit.CALLS);
    return new MapHistory(schema, 0);
  }

  private static Table<Datum> table(long... counts) {
    List<Row<Datum>> rows = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      rows.add(
          new Row<>(Key.of(new Datum.Int(i, IntType.U64)), new Datum.Int(counts[i], IntType.U64)));
    }
    return Table.of(rows);
  }

  private static RowHistory row(MapHistory map, long key) {
    return map.row(Key.of(new Datum.Int(key, IntType.U64))).orElseThrow();
  }

  @Test
  void aRateIsWhatASecondAdds() {
    MapHistory map = map("count");
    map.read(table(10), SECOND);
    map.read(table(35), 2 * SECOND);
    assertThat(row(map, 0).rate()).isEqualTo(25);
    assertThat(row(map, 0).total()).isEqualTo(35);
    assertThat(row(map, 0).isChanged()).isTrue();
    map.read(table(35), 3 * SECOND);
    assertThat(row(map, 0).rate()).isZero();
    assertThat(row(map, 0).isChanged()).isFalse();
  }

  @Test
  void readingsWithinASecondChangeTotalsAlone() {
    MapHistory map = map("count");
    map.read(table(10), SECOND);
    map.read(table(20), SECOND + SECOND / 10);
    assertThat(row(map, 0).total()).isEqualTo(20);
    assertThat(row(map, 0).rate()).isEqualTo(10);
  }

  @Test
  void secondsThatWereNotReadHaveTheirAverage() {
    MapHistory map = map("count");
    map.read(table(10), SECOND);
    map.read(table(50), 5 * SECOND);
    assertThat(row(map, 0).rate()).isEqualTo(10);
    for (int i = Minute.SECONDS - 5; i < Minute.SECONDS; i++) {
      assertThat(row(map, 0).minute().at(i)).isEqualTo(10);
    }
    assertThat(row(map, 0).minute().at(Minute.SECONDS - 6)).isNaN();
  }

  @Test
  void aMapThatIsClearedBeginsAnew() {
    MapHistory map = map("count");
    map.read(table(100, 50), SECOND);
    map.reset();
    assertThat(row(map, 0).total()).isZero();
    map.read(table(7), 2 * SECOND);
    assertThat(row(map, 0).total()).isEqualTo(7);
    assertThat(row(map, 0).rate()).isEqualTo(7);
    assertThat(map.rows()).hasSize(1);
  }

  @Test
  void aResetLetsTotalsBeginAnew() {
    MapHistory map = map("count");
    map.read(table(100), SECOND);
    map.reset();
    map.read(table(130), 2 * SECOND);
    assertThat(row(map, 0).total()).isEqualTo(30);
    assertThat(row(map, 0).rate()).isEqualTo(30);
  }

  @Test
  void ofMoreKeysTheLargestAreKept() {
    MapHistory map = map("count");
    map.read(table(LongStream.rangeClosed(1, MapHistory.MOST_KEYS + 5).toArray()), SECOND);
    assertThat(map.keys()).isEqualTo(MapHistory.MOST_KEYS + 5);
    assertThat(map.rows()).hasSize(MapHistory.MOST_KEYS);
    assertThat(map.ascending().get(0).total()).isEqualTo(6);
  }

  @Test
  void valuesThatDoNotAddUpAreShownThemselves() {
    MapHistory map = map("max");
    map.read(table(10), SECOND);
    map.read(table(30), 2 * SECOND);
    assertThat(row(map, 0).minute().at(Minute.SECONDS - 1)).isEqualTo(30);
  }

  @Test
  void bucketsKeepWhatEachSecondAdds() {
    MapHistory map = map("quantize");
    long[] counts = new long[Histogram.BUCKETS];
    for (int second = 1; second <= 3; second++) {
      counts[10] += second;
      Histogram histogram = new Histogram(IntType.U64, 0, 0, counts);
      Datum value = new Datum.Distribution(histogram);
      map.read(
          Table.of(List.of(new Row<>(Key.of(new Datum.Int(0, IntType.U64)), value))),
          second * SECOND);
    }
    HeatHistory heat = row(map, 0).heat().orElseThrow();
    int bucket = 12;
    assertThat(heat.at(Minute.SECONDS - 1)[bucket]).isEqualTo(3);
    assertThat(heat.at(Minute.SECONDS - 2)[bucket]).isEqualTo(2);
    BucketCounts all = row(map, 0).counts(false).orElseThrow();
    assertThat(all.total()).isEqualTo(6);
    assertThat(all.percentile(50).orElseThrow().low()).hasValue(1024);
    assertThat(row(map, 0).counts(true).orElseThrow().total()).isEqualTo(6);
  }

  @Property
  void percentilesAreThoseOfTheHistogram(
      @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 0, max = 1_000_000) Integer> values,
      @ForAll @IntRange(min = 0, max = 100) int percent) {
    long[] counts = new long[Histogram.BUCKETS];
    long zeros = values.stream().filter(value -> value == 0).count();
    values.forEach(value -> counts[Histogram.bucketOf(value)]++);
    Histogram histogram = new Histogram(IntType.U64, 0, zeros, counts);
    BucketCounts buckets = BucketCounts.of(new Datum.Distribution(histogram)).orElseThrow();
    assertThat(buckets.total()).isEqualTo(values.size());
    assertThat(buckets.percentile(percent).orElseThrow().low())
        .hasValue(histogram.percentile(percent).low());
  }
}
