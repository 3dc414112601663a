package dev.ply.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.lang.PlyScript;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.SessionMetrics;
import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import dev.ply.reader.ForeignProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What Prometheus reads. */
class ExpositionTest {
  private static final Pattern LABELLED =
      Pattern.compile("x\\{comm=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"} 1\\.0");

  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

  private static String read(String accept, Supplier<List<MetricFamily>> metrics)
      throws IOException, InterruptedException {
    return new String(bytes(accept, metrics), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String accept, Supplier<List<MetricFamily>> metrics)
      throws IOException, InterruptedException {
    try {
      PrometheusServer server =
          PrometheusServer.open(
              ListenAddress.parse("--prometheus", "127.0.0.1:0"), Lifecycle.OF_COMMAND, metrics);
      try {
        HttpResponse<byte[]> response =
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(URI.create(server.url()))
                        .header("Accept", accept)
                        .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
      } finally {
        server.close();
      }
    } catch (UsageException e) {
      throw new IOException(e);
    }
  }

  private static List<MetricFamily> families(String script, Firing... firings) {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(PlyScript.parse(script))) {
      for (Firing firing : firings) {
        tracer.fire(firing);
      }
      return new SessionMetrics(session, MetricOptions.DEFAULT.of("sizes"))
          .get().stream().filter(one -> one.name().startsWith("ply_sizes_")).toList();
    }
  }

  @Test
  void mapsAreFamiliesOfTheirKind() throws Exception {
    List<MetricFamily> families =
        families(
            "kprobe:vfs_read { @[comm] = count(); @size = lhist(arg2, 0, 30, 10); @last = arg2;"
                + " @who[cpu] = comm; @both = stats(arg2); }",
            Firing.kprobe("vfs_read").comm("a\"\\\n\u00ff").arg(2, 9),
            Firing.kprobe("vfs_read").comm("cat").arg(2, 10));
    assertThat(read("text/plain", () -> families))
        .isEqualTo(
            """
            # HELP ply_sizes_both @both: stats
            # TYPE ply_sizes_both summary
            ply_sizes_both_count 2
            ply_sizes_both_sum 19.0
            # HELP ply_sizes_last @last
            # TYPE ply_sizes_last gauge
            ply_sizes_last 10.0
            # HELP ply_sizes_map_total @: count by comm
            # TYPE ply_sizes_map_total counter
            ply_sizes_map_total{comm="a\\"\\\\\\\\\\\\n\u00ff"} 1.0
            ply_sizes_map_total{comm="cat"} 1.0
            # HELP ply_sizes_size @size: lhist
            # TYPE ply_sizes_size histogram
            ply_sizes_size_bucket{le="-1.0"} 0
            ply_sizes_size_bucket{le="9.0"} 1
            ply_sizes_size_bucket{le="19.0"} 2
            ply_sizes_size_bucket{le="29.0"} 2
            ply_sizes_size_bucket{le="+Inf"} 2
            ply_sizes_size_count 2
            ply_sizes_size_sum 19.0
            # HELP ply_sizes_who_info @who by cpu
            # TYPE ply_sizes_who_info gauge
            ply_sizes_who_info{cpu="0",value="cat"} 1
            """);
  }

  @Test
  void theFormatIsTheOneAskedFor() throws Exception {
    List<MetricFamily> families =
        families(
            "kprobe:vfs_read { @size = quantize(arg2); }",
            Firing.kprobe("vfs_read").arg(2, 9),
            Firing.kprobe("vfs_read").arg(2, 0));
    assertThat(read("application/openmetrics-text; version=1.0.0", () -> families))
        .contains("# TYPE ply_sizes_size histogram")
        .contains("ply_sizes_size_bucket{le=\"15.0\"} 2\n")
        .endsWith("# EOF\n");
    byte[] protobuf =
        bytes(
            "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
                + " encoding=delimited",
            () -> families);
    assertThat(new String(protobuf, StandardCharsets.ISO_8859_1))
        .contains("ply_sizes_size")
        .doesNotContain("# TYPE");
  }

  /** Names, types and help as Prometheus' own linter wants them. */
  @Test
  void promtoolHasNothingToSay() throws Exception {
    List<MetricFamily> families =
        families(
            "kprobe:vfs_read { @[comm] = count(); @total = count(); @size = quantize(arg2);"
                + " @ten[comm] = lhist(arg2, 0, 30, 10); @who[str(\"a\\\"b\")] = comm;"
                + " @waited = sum(time); @all = stats(arg2); @sum = max(arg2); }",
            Firing.kprobe("vfs_read").comm("a\"\\\n{}").arg(2, 9));
    byte[] text = bytes("text/plain", () -> families);
    ForeignProgram promtool = ForeignProgram.of("promtool", "prometheus");
    assertThat(promtool.read(text, "check", "metrics")).isEmpty();
  }

  /** Of whatever a process calls itself. */
  @Property(tries = 200)
  void labelsAreValidBoundedAndDistinct(@ForAll String one, @ForAll String other) {
    String label = LabelText.bounded(one);
    assertThat(label.length()).isLessThanOrEqualTo(LabelText.MOST);
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(label)).isTrue();
    assertThat(label.chars()).noneMatch(Character::isISOControl);
    if (one.length() < LabelText.MOST / 8 && other.length() < LabelText.MOST / 8) {
      assertThat(label.equals(LabelText.bounded(other))).isEqualTo(one.equals(other));
    }
  }

  @Test
  void labelsComeBackFromAStrictParser() throws Exception {
    for (String comm :
        List.of("", "\"", "\\", "\n", "\\n", "a\u001b[31m", "\u202etxt", "\ud83d\ude00", "{}=,")) {
      String label = LabelText.bounded(comm);
      MetricFamily family =
          new MetricFamily(
              "x",
              MetricType.GAUGE,
              Optional.empty(),
              "",
              List.of(
                  new MetricPoint(Map.of("comm", label), Instant.EPOCH, new MetricValue.Whole(1))));
      Matcher sample = LABELLED.matcher(read("text/plain", () -> List.of(family)).strip());
      assertThat(sample.find()).isTrue();
      assertThat(
              ESCAPE
                  .matcher(sample.group(1))
                  .replaceAll(
                      one ->
                          Matcher.quoteReplacement(one.group(1).equals("n") ? "\n" : one.group(1))))
          .isEqualTo(label);
    }
  }
}
