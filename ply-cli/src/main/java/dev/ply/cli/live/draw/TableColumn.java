package dev.ply.cli.live.draw;

import dev.ply.cli.live.model.BucketCounts;
import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.RowHistory;
import dev.ply.cli.live.model.ViewState.Mode;
import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.RowSource;
import dev.ply.table.Statistics;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.KernelSymbols;
import dev.ply.type.Escapes;
import dev.ply.type.IntFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A column of a map's table.
 *
 * @param heading its name
 * @param role what it shows
 * @param text of a row, escaped
 * @param order of rows, ascending
 */
record TableColumn(
    String heading, Role role, Function<RowHistory, String> text, Comparator<RowHistory> order) {
  /** What a column shows. */
  enum Role {
    /** A part of the key, at the left. */
    KEY,
    /** A number since the start. */
    TOTAL,
    /** A number a second. */
    RATE,
    /** Anything else about the values. */
    OTHER
  }

  /** Returns the columns of a map, parts of the key first. */
  static List<TableColumn> of(MapHistory map, Mode mode, KeyText texts) {
    List<TableColumn> columns = new ArrayList<>();
    TableSchema schema = map.schema();
    for (int i = 0; i < schema.keys().size(); i++) {
      columns.add(key(i, schema.keys().get(i).name(), texts, map.symbols()));
    }
    Datum like =
        map.rows().stream().findFirst().map(RowHistory::value).orElse(new Datum.Tuple(List.of()));
    if (like instanceof Datum.Stats) {
      columns.add(statistic("count", Statistics::count, Unit.NONE));
      columns.add(statistic("average", Statistics::average, schema.unit()));
      columns.add(total(schema, texts));
      columns.add(rate(schema.unit()));
    } else if (BucketCounts.of(like).isPresent()) {
      columns.add(counted());
      columns.add(rate(Unit.NONE));
      for (int percent : new int[] {50, 90, 99, 100}) {
        columns.add(percentile(percent, mode, schema.unit()));
      }
    } else if (like.weight().isPresent()) {
      columns.add(total(schema, texts));
      if (map.isAdded()) {
        columns.add(rate(schema.unit() == Unit.CALLS ? Unit.NONE : schema.unit()));
      }
    } else {
      columns.add(
          new TableColumn(
              "value",
              Role.OTHER,
              row -> texts.of(row.value(), map.symbols()),
              (a, b) -> RowSource.compare(a.value(), b.value())));
    }
    return columns;
  }

  private static TableColumn key(int index, String name, KeyText texts, KernelSymbols symbols) {
    return new TableColumn(
        Escapes.escape(name),
        Role.KEY,
        row -> texts.of(row.key().parts().get(index), symbols),
        (a, b) -> RowSource.compare(a.key().parts().get(index), b.key().parts().get(index)));
  }

  private static TableColumn total(TableSchema schema, KeyText texts) {
    return new TableColumn(
        schema.aggregation().map(name -> name.equals("stats") ? "total" : name).orElse("value"),
        Role.TOTAL,
        row -> total(row, schema, texts),
        Comparator.comparingDouble(RowHistory::total));
  }

  private static String total(RowHistory row, TableSchema schema, KeyText texts) {
    if (row.value() instanceof Datum.Int number) {
      boolean isPlain = number.type().format() == IntFormat.DECIMAL;
      if (isPlain && (number.type().isSigned() || number.value() >= 0)) {
        return Amounts.grouped(row.total());
      }
      Datum since = row.isReset() ? new Datum.Int((long) row.total(), number.type()) : number;
      return texts.of(since, KernelSymbols.NONE);
    }
    return Amounts.brief(row.total(), schema.unit());
  }

  private static TableColumn counted() {
    return new TableColumn(
        "count",
        Role.TOTAL,
        row -> Amounts.grouped(row.total()),
        Comparator.comparingDouble(RowHistory::total));
  }

  private static TableColumn rate(Unit unit) {
    return new TableColumn(
        "/s",
        Role.RATE,
        row -> Amounts.brief(row.rate(), unit),
        Comparator.comparingDouble(RowHistory::rate));
  }

  private static TableColumn statistic(String heading, Function<Statistics, Long> part, Unit unit) {
    return new TableColumn(
        heading,
        Role.OTHER,
        row -> Amounts.brief((double) part(row, part), unit),
        Comparator.comparingLong(row -> part(row, part)));
  }

  private static long part(RowHistory row, Function<Statistics, Long> part) {
    return row.value() instanceof Datum.Stats stats ? part.apply(stats.statistics()) : 0;
  }

  private static TableColumn percentile(int percent, Mode mode, Unit unit) {
    boolean ofMinute = mode == Mode.RATES;
    return new TableColumn(
        percent == 100 ? "max" : String.format(Locale.ROOT, "p%d", percent),
        Role.OTHER,
        row ->
            row.counts(ofMinute)
                .flatMap(counts -> counts.percentile(percent))
                .map(bucket -> "<" + upper(bucket, unit))
                .orElse(""),
        Comparator.comparingLong(
            row ->
                row.counts(ofMinute)
                    .flatMap(counts -> counts.percentile(percent))
                    .map(bucket -> bucket.low().orElse(Long.MIN_VALUE))
                    .orElse(Long.MIN_VALUE)));
  }

  private static String upper(Bucket bucket, Unit unit) {
    return bucket.high().isPresent() ? Amounts.limit(bucket.high().getAsLong(), unit) : "all";
  }
}
