package dev.ply.cli.metrics;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.HttpFailure;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.net.URI;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Counts exports, and reports when they begin to fail and when they succeed again. */
final class CountedExports implements MetricExporter {
  private final MetricExporter exporter;
  private final URI endpoint;
  private final Console console;
  private final Instant start = Instant.now();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private boolean fails;
  private boolean ends;

  CountedExports(MetricExporter exporter, URI endpoint, Console console) {
    this.exporter = exporter;
    this.endpoint = endpoint;
    this.console = console;
  }

  /** Each export has the values since the start, so that one that fails loses nothing. */
  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType type) {
    return AggregationTemporality.CUMULATIVE;
  }

  @Override
  public CompletableResultCode export(Collection<MetricData> metrics) {
    CompletableResultCode result = exporter.export(metrics);
    return result.whenComplete(() -> completed(result));
  }

  private synchronized void completed(CompletableResultCode result) {
    if (result.isSuccess()) {
      sent.incrementAndGet();
      if (fails) {
        console.message("metrics are sent to " + endpoint + " again");
      }
      fails = false;
      return;
    }
    failed.incrementAndGet();
    if (!fails || ends) {
      Optional<Throwable> cause = Optional.ofNullable(result.getFailureThrowable());
      console.warning(
          "metrics cannot be sent to "
              + endpoint
              + cause.map(one -> ": " + reason(one)).orElse("")
              + (ends ? "" : "; the next export has them, too"));
    }
    fails = true;
  }

  /** Returns the status of an answer, or why there was none. */
  private static String reason(Throwable thrown) {
    return thrown instanceof HttpExportException failed && failed.failedWithResponse()
        ? "status " + failed.getResponse().getStatusCode()
        : HttpFailure.reason(thrown);
  }

  /** The next export is the last: what it does not send is lost. */
  synchronized void beginEnd() {
    ends = true;
  }

  /** Returns how many exports there were. */
  List<MetricFamily> families() {
    return List.of(
        family("ply_exports", "Exports that the collector took.", sent.get()),
        family("ply_export_failures", "Exports that failed, after retries.", failed.get()));
  }

  private MetricFamily family(String name, String help, long value) {
    return new MetricFamily(
        name,
        MetricType.COUNTER,
        Optional.empty(),
        help,
        List.of(new MetricPoint(Map.of(), start, new MetricValue.Whole(value))));
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
