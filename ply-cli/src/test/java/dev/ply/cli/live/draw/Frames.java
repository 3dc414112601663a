package dev.ply.cli.live.draw;

import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.Status;
import dev.ply.cli.live.model.ViewState;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.Histogram;
import dev.ply.table.Key;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Column;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Type.IntType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jline.utils.AttributedString;

/** Traces of a minute that never happened, and their frames. */
final class Frames {
  private static final long SECOND = 1_000_000_000L;
  private static final Look PLAIN = new Look(Look.Depth.NONE, true);

  private Frames() {}

  static TableSchema schema(String map, String aggregation, Unit unit, String... keys) {
    List<Column> columns =
        List.of(keys).stream().map(key -> new Column(key, IntType.U64, Unit.NONE)).toList();
    return new TableSchema(map, columns, IntType.U64, Optional.of(aggregation), unit);
  }

  static Datum number(long value) {
    return new Datum.Int(value, IntType.U64);
  }

  static Datum text(String bytes) {
    return new Datum.Text(bytes + "\0");
  }

  static Row<Datum> row(Datum value, Datum... key) {
    return new Row<>(Key.of(key), value);
  }

  /** Counts by name, some of which come and go. */
  static MapHistory counts() {
    MapHistory map = new MapHistory(schema("@calls", "count", Unit.CALLS, "comm", "pid"), 0);
    String[] names = {"java", "postgres", "sshd", "nginx: worker process", "kworker/0:1"};
    for (int second = 1; second <= 70; second++) {
      List<Row<Datum>> rows = new ArrayList<>();
      for (int i = 0; i < names.length; i++) {
        long calls = (long) (i == 2 ? second / 20 * 7 : second * Math.pow(10, 4 - i));
        long wave = (long) (calls * (1 + Math.sin(second / 6.0) / 20));
        if (i != 3 || second > 50) {
          rows.add(row(number(Math.max(wave, 1)), text(names[i]), number(100 + i)));
        }
      }
      map.read(Table.of(rows), second * SECOND);
    }
    return map;
  }

  /** Latencies, which get worse. */
  static MapHistory latencies() {
    MapHistory map = new MapHistory(schema("@ns", "quantize", Unit.NANOSECONDS, "dev"), 0);
    long[] counts = new long[Histogram.BUCKETS];
    for (int second = 1; second <= 65; second++) {
      int centre = 12 + second / 10;
      for (int i = 0; i < counts.length; i++) {
        int distance = Math.abs(i - centre);
        counts[i] += distance > 4 ? 0 : 1000 >> (2 * distance);
      }
      Histogram histogram = new Histogram(IntType.U64, 0, 0, counts);
      map.read(
          Table.of(List.of(row(new Datum.Distribution(histogram), text("sda")))), second * SECOND);
    }
    return map;
  }

  static Painter painter(Look look) {
    return new Painter(look, DatumFormat.PLAIN);
  }

  static Painter.Content content(List<String> events, MapHistory... maps) {
    Status status =
        new Status(
            "tracepoint:raw_syscalls:sys_enter and 1 more",
            2,
            Duration.ofSeconds(3_725),
            Duration.ofSeconds(1),
            Duration.ofNanos(1_234_567),
            0.012,
            Optional.of(
                new Status.Cost(0.0034, 12_345, 276, Optional.of("raw_syscalls:sys_enter"))),
            List.of());
    return new Painter.Content(List.of(maps), events, events.size(), !events.isEmpty(), status);
  }

  static List<String> events(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "open /etc/file" + i + " = 3").toList();
  }

  static ViewState state(int maps) {
    return ViewState.initial(maps + 1);
  }

  /** The text of a frame, without spaces at the ends of lines. */
  static String text(Painter.Content content, ViewState state, Look look, int rows, int columns) {
    return painter(look).paint(content, state, rows, columns).stream()
        .map(line -> line.toString().stripTrailing() + "\n")
        .collect(Collectors.joining());
  }

  static String text(Painter.Content content, ViewState state, int rows, int columns) {
    return text(content, state, PLAIN, rows, columns);
  }

  /** The frame as a terminal of 256 colours gets it, escape characters shown. */
  static String ansi(Painter.Content content, ViewState state, Look look, int rows, int columns) {
    return painter(look).paint(content, state, rows, columns).stream()
        .map(line -> ansi(line) + "\n")
        .collect(Collectors.joining());
  }

  private static String ansi(AttributedString line) {
    return line.toAnsi(256, AttributedString.ForceMode.None).replace("\033", "^").stripTrailing();
  }
}
