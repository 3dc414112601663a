package dev.ply.result;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Severity;
import dev.ply.ir.SourceSpan;
import java.util.Comparator;
import java.util.List;

/**
 * Lines of JSON as bpftrace writes them, an object each: its {@code type}, and its {@code data}.
 *
 * @param text how {@code printf} formats its strings
 */
record JsonFormat(ResultFormat text, JsonValues values) implements ResultFormat {
  private static final Frame ONE = new Frame(begin("value"), "", "}\n");
  private static final Frame SEVERAL = new Frame(begin("value") + "[", ",", "]}\n");

  private static String begin(String type) {
    return "{\"type\": \"" + type + "\", \"data\": ";
  }

  @Override
  public ValueFormat conversions() {
    return text.conversions();
  }

  @Override
  public Frame frame(int count) {
    return count == 1 ? ONE : SEVERAL;
  }

  @Override
  public String withoutArguments(PrintfFormat format) {
    return text.withoutArguments(format);
  }

  @Override
  public void complete(TextBuffer out, int start, Message message) {
    byte[] line = out.cut(start);
    out.append(begin(message.type()));
    JsonString.append(out, line);
    out.append("}\n");
  }

  @Override
  public void appendMap(TextBuffer out, Datum.Dump map) {
    List<Row<Datum>> rows = map.table().rowsOrInitial();
    if (!rows.isEmpty()) {
      out.append(begin(type(rows.get(0).value())));
      values.appendMap(out, map);
      out.append("}\n");
    }
  }

  @Override
  public Table<Datum> largest(Table<Datum> table, int count) {
    return Table.last(table, BpftraceFormat.rows(table), count);
  }

  @Override
  public void appendMaps(TextBuffer out, List<Datum.Dump> maps) {
    maps.stream()
        .filter(map -> !map.table().isEmpty())
        .sorted(Comparator.comparing(Datum.Dump::name))
        .forEach(map -> appendMap(out, map));
  }

  @Override
  public void appendAttached(TextBuffer out, int probes) {
    appendCount(out, "attached_probes", "probes", probes);
  }

  @Override
  public void appendLost(TextBuffer out, long events) {
    appendCount(out, "lost_events", "events", events);
  }

  @Override
  public void appendError(TextBuffer out, RuntimeError error) {
    String type = error.helper().isPresent() ? "helper_error" : "runtime_error";
    out.append("{\"type\": \"").append(type).append("\", \"msg\": ");
    JsonString.append(out, error.message());
    if (error.helper().isPresent()) {
      out.append(", \"helper\": ");
      JsonString.append(out, error.helper().get().name());
      out.append(", \"retcode\": ").append(error.helper().get().code());
    }
    appendPosition(out, error.span());
    out.append(", \"count\": ").append(error.count()).append("}\n");
  }

  @Override
  public void appendReport(TextBuffer out, Diagnostic report) {
    String type = report.severity() == Severity.ERROR ? "errorf" : "warnf";
    out.append("{\"type\": \"").append(type).append("\", \"msg\": ");
    JsonString.append(out, report.message());
    appendPosition(out, report.span());
    out.append("}\n");
  }

  private static void appendPosition(TextBuffer out, SourceSpan span) {
    out.append(", \"filename\": ");
    JsonString.append(out, span.source());
    out.append(", \"line\": ").append(span.line());
    out.append(", \"col\": ").append(span.column());
  }

  @Override
  public void appendTest(
      TextBuffer out, String name, long nanos, boolean hasPassed, byte[] output) {
    beginNamed(out, "test_result", name);
    out.append("\"duration\": ").append(nanos);
    out.append(", \"passed\": ").append(String.valueOf(hasPassed)).append(", \"output\": ");
    JsonString.append(out, output);
    out.append("}}}\n");
  }

  @Override
  public void appendBenchmark(TextBuffer out, String name, long nanos, long runs) {
    beginNamed(out, "benchmark_result", name);
    out.append("\"average\": ").append(nanos).append(", \"iters\": ").append(runs).append("}}}\n");
  }

  private static void beginNamed(TextBuffer out, String type, String name) {
    out.append("{\"type\": \"").append(type).append("\", \"data\": {");
    JsonString.append(out, name);
    out.append(": {");
  }

  /** Writes a number twice, where readers of different versions of bpftrace expect it. */
  private static void appendCount(TextBuffer out, String type, String what, long count) {
    out.append("{\"type\": \"").append(type).append("\", \"count\": ").append(count);
    out.append(", \"data\": {\"").append(what).append("\": ").append(count).append("}}\n");
  }

  private static String type(Datum value) {
    if (value instanceof Datum.Series) {
      return "tseries";
    }
    if (value.isDrawn()) {
      return "hist";
    }
    boolean isStatistics =
        value instanceof Datum.Stats
            || (value instanceof Datum.Int number && number.type().format().isAverage());
    return isStatistics ? "stats" : "map";
  }
}
