package dev.ply.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.HttpLimits;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.lang.PlyScript;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.SessionMetrics;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a collector receives. */
class OtlpExportTest {
  private static final String NEVER = "3600000";

  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new Output(new ByteArrayOutputStream()),
          new ErrorStream(messages),
          Set.of(Console.Remark.values()),
          Terminal.NONE);

  private static Map<String, Metric> received(byte[] body) throws IOException {
    return ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList().stream()
        .flatMap(resource -> resource.getScopeMetricsList().stream())
        .flatMap(scope -> scope.getMetricsList().stream())
        .collect(Collectors.toMap(Metric::getName, Function.identity()));
  }

  @Test
  void theLastExportHasWhatTheMapsHave() throws Exception {
    List<byte[]> bodies = new CopyOnWriteArrayList<>();
    List<String> headers = new CopyOnWriteArrayList<>();
    // Read once by all servers of this process.
    HttpLimits.set();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          bodies.add(exchange.getRequestBody().readAllBytes());
          headers.addAll(exchange.getRequestHeaders().getOrDefault("x-tenant", List.of()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session =
            tracer.start(
                PlyScript.parse(
                    "kprobe:vfs_read { @n[comm] = count(); @size = quantize(arg2);"
                        + " @lin = lhist(arg2, 0, 30, 10); @last = arg2; }"))) {
      tracer.fire(Firing.kprobe("vfs_read").comm("cat").arg(2, 0));
      tracer.fire(Firing.kprobe("vfs_read").comm("cat").arg(2, 9));
      tracer.fire(Firing.kprobe("vfs_read").comm("dog").arg(2, 15));
      OtlpExport.start(
              "http://127.0.0.1:" + collector.getAddress().getPort(),
              Map.of(
                  "OTEL_METRIC_EXPORT_INTERVAL",
                  NEVER,
                  "OTEL_EXPORTER_OTLP_HEADERS",
                  "x-tenant=a%20b"),
              console,
              new SessionMetrics(session, MetricOptions.DEFAULT))
          .close();
    } finally {
      collector.stop(0);
    }
    assertThat(headers).containsExactly("a b");
    Map<String, Metric> metrics = received(bodies.get(0));
    assertThat(metric(metrics, "ply_n").getSum().getIsMonotonic()).isTrue();
    assertThat(
            metric(metrics, "ply_n").getSum().getDataPointsList().stream()
                .collect(
                    Collectors.toMap(
                        point -> point.getAttributes(0).getValue().getStringValue(),
                        NumberDataPoint::getAsInt)))
        .isEqualTo(Map.of("cat", 2L, "dog", 1L));
    ExponentialHistogramDataPoint size =
        metric(metrics, "ply_size").getExponentialHistogram().getDataPoints(0);
    assertThat(size.getScale()).isZero();
    assertThat(size.getCount()).isEqualTo(3);
    assertThat(size.getZeroCount()).isEqualTo(1);
    assertThat(size.getPositive().getOffset()).isEqualTo(3);
    assertThat(size.getPositive().getBucketCountsList()).containsExactly(2L);
    HistogramDataPoint lin = metric(metrics, "ply_lin").getHistogram().getDataPoints(0);
    assertThat(lin.getExplicitBoundsList()).containsExactly(-1.0, 9.0, 19.0, 29.0);
    assertThat(lin.getBucketCountsList()).containsExactly(0L, 2L, 1L, 0L, 0L);
    assertThat(metric(metrics, "ply_last").getGauge().getDataPoints(0).getAsInt()).isEqualTo(15);
    assertThat(messages.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private static Metric metric(Map<String, Metric> metrics, String name) {
    return Optional.ofNullable(metrics.get(name)).orElseThrow();
  }

  @Test
  void aDeadEndpointIsReportedOnce() throws Exception {
    OtlpExport.start(
            "http://127.0.0.1:9",
            Map.of("OTEL_METRIC_EXPORT_INTERVAL", NEVER, "OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
            console,
            ProcessMetrics::get)
        .close();
    assertThat(messages.toString(StandardCharsets.UTF_8))
        .contains("metrics cannot be sent to http://127.0.0.1:9/v1/metrics: connection refused")
        .hasLineCount(1);
  }

  @Test
  void aCollectorThatTakesNoMetricsIsReportedByItsStatus() throws Exception {
    HttpLimits.set();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.start();
    String url = "http://127.0.0.1:" + collector.getAddress().getPort() + "/here";
    OtlpExport.start(
            url, Map.of("OTEL_METRIC_EXPORT_INTERVAL", NEVER), console, ProcessMetrics::get)
        .close();
    collector.stop(0);
    assertThat(messages.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines("warning: metrics cannot be sent to " + url + ": status 404");
  }

  @Test
  void whatCannotBeUsedIsAnError() {
    for (String url : List.of("", "localhost:4318", "ftp://a", "http://", "a b")) {
      assertThatThrownBy(() -> OtlpSettings.of(url, Map.of()))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("--otlp takes a URL such as http://localhost:4318, not ");
    }
    assertThatThrownBy(() -> OtlpSettings.of("-", Map.of("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("http/protobuf");
  }

  @Test
  void theEndpointIsThatOfTheEnvironmentIfAskedFor() throws Exception {
    assertThat(
            OtlpSettings.of("-", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "https://c:1")).endpoint())
        .hasToString("https://c:1/v1/metrics");
    assertThat(
            OtlpSettings.of("-", Map.of("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "https://c:1/x"))
                .endpoint())
        .hasToString("https://c:1/x");
  }
}
