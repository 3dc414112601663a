package dev.ply.cli.metrics;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.OtlpVariables;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Where and how metrics are sent, as OpenTelemetry's environment variables say. */
final class OtlpSettings {
  private static final String INTERVAL = "60000";

  private final URI endpoint;
  private final OtlpVariables variables;

  private OtlpSettings(URI endpoint, OtlpVariables variables) {
    this.endpoint = endpoint;
    this.variables = variables;
  }

  /**
   * Reads them.
   *
   * @param url of the collector, or {@code -} for that of the environment
   */
  static OtlpSettings of(String url, Map<String, String> environment) throws UsageException {
    OtlpVariables variables = new OtlpVariables(OtlpVariables.Signal.METRICS, environment);
    return new OtlpSettings(variables.endpoint(url), variables);
  }

  URI endpoint() {
    return endpoint;
  }

  /** Returns the time between two exports. */
  Duration interval() throws UsageException {
    String name = "OTEL_METRIC_EXPORT_INTERVAL";
    return OtlpVariables.millis(name, variables.value(name).orElse(INTERVAL));
  }

  /** Returns what sends: retried five times, with growing pauses, within the time of an export. */
  OtlpHttpMetricExporter exporter() throws UsageException {
    OtlpHttpMetricExporterBuilder builder =
        OtlpHttpMetricExporter.builder()
            .setEndpoint(endpoint.toString())
            .setTimeout(variables.timeout());
    variables.headers().forEach(builder::addHeader);
    try {
      variables.variable("COMPRESSION").ifPresent(builder::setCompression);
      Optional<String> trusted = variables.variable("CERTIFICATE");
      if (trusted.isPresent()) {
        builder.setTrustedCertificates(Files.readAllBytes(Path.of(trusted.get())));
      }
      Optional<String> key = variables.variable("CLIENT_KEY");
      Optional<String> certificate = variables.variable("CLIENT_CERTIFICATE");
      if (key.isPresent() && certificate.isPresent()) {
        builder.setClientTls(
            Files.readAllBytes(Path.of(key.get())), Files.readAllBytes(Path.of(certificate.get())));
      }
      return builder.build();
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException("--otlp: what OTEL_EXPORTER_OTLP_* say cannot be used: " + e);
    }
  }

  /** Returns who sends. */
  Resource resource() {
    AttributesBuilder attributes = Attributes.builder();
    variables.resource().forEach(attributes::put);
    return Resource.getDefault().merge(Resource.create(attributes.build()));
  }
}
