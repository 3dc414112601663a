package dev.ply.cli.metrics;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.metrics.OpenTelemetryMetrics;
import dev.ply.metrics.model.MetricFamily;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends metrics to a collector, each period and at the end. Values are cumulative: nothing waits
 * for an endpoint that is down, and what is sent when it is back has everything.
 */
final class OtlpExport implements Exporters.Running {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** It reports each failure; so do we, once. Kept, so that its level stays. */
  private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

  private final SdkMeterProvider provider;
  private final CountedExports exports;

  private OtlpExport(SdkMeterProvider provider, CountedExports exports) {
    this.provider = provider;
    this.exports = exports;
  }

  /**
   * Starts to export.
   *
   * @param url of the collector, or {@code -} for that of the environment
   * @param environment with {@code OTEL_EXPORTER_OTLP_*}
   * @throws UsageException if the URL or a variable cannot be used
   */
  static OtlpExport start(
      String url,
      Map<String, String> environment,
      Console console,
      Supplier<List<MetricFamily>> metrics)
      throws UsageException {
    LIBRARY.setLevel(Level.OFF);
    OtlpSettings settings = OtlpSettings.of(url, environment);
    OtlpHttpMetricExporter exporter = settings.exporter();
    CountedExports counted = new CountedExports(exporter, settings.endpoint(), console);
    SdkMeterProvider provider =
        SdkMeterProvider.builder()
            .setResource(settings.resource())
            .registerMetricReader(
                PeriodicMetricReader.builder(counted).setInterval(settings.interval()).build())
            .registerMetricProducer(
                new OpenTelemetryMetrics(
                    () -> {
                      List<MetricFamily> all = new ArrayList<>(metrics.get());
                      all.addAll(counted.families());
                      return all;
                    }))
            .build();
    return new OtlpExport(provider, counted);
  }

  /** Returns how many exports there were. */
  List<MetricFamily> families() {
    return exports.families();
  }

  @Override
  public void close() {
    exports.beginEnd();
    provider.shutdown().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }
}
