package dev.ply.cli.metrics;

import dev.ply.cli.io.UsageException;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Where and how metrics are sent, as OpenTelemetry's environment variables say. */
final class OtlpSettings {
  private static final String PREFIX = "OTEL_EXPORTER_OTLP_";
  private static final String PATH = "/v1/metrics";
  private static final String TIMEOUT = "10000";
  private static final String INTERVAL = "60000";

  private final URI endpoint;
  private final Map<String, String> environment;

  private OtlpSettings(URI endpoint, Map<String, String> environment) {
    this.endpoint = endpoint;
    this.environment = environment;
  }

  /**
   * Reads them.
   *
   * @param url of the collector, or {@code -} for that of the environment
   */
  static OtlpSettings of(String url, Map<String, String> environment) throws UsageException {
    OtlpSettings unplaced = new OtlpSettings(URI.create(""), environment);
    String protocol = unplaced.variable("PROTOCOL").orElse("http/protobuf");
    if (!protocol.equals("http/protobuf")) {
      throw new UsageException(
          "--otlp sends http/protobuf, and OTEL_EXPORTER_OTLP_PROTOCOL is \"" + protocol + "\"");
    }
    String given = url;
    if (url.equals("-")) {
      Optional<String> own = value(environment, PREFIX + "METRICS_ENDPOINT");
      given =
          own.isPresent()
              ? own.get()
              : value(environment, PREFIX + "ENDPOINT").orElse("http://localhost:4318");
    }
    try {
      URI uri = URI.create(given);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        boolean isBase = path.isEmpty() || path.equals("/");
        return new OtlpSettings(isBase ? uri.resolve(PATH) : uri, environment);
      }
    } catch (IllegalArgumentException e) {
      throw new UsageException(wrong(given));
    }
    throw new UsageException(wrong(given));
  }

  private static String wrong(String url) {
    return "--otlp takes a URL such as http://localhost:4318, not \"" + url + "\"";
  }

  private static Optional<String> value(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  /** A variable for metrics takes precedence over that for all signals. */
  private Optional<String> variable(String name) {
    return value(environment, PREFIX + "METRICS_" + name)
        .or(() -> value(environment, PREFIX + name));
  }

  URI endpoint() {
    return endpoint;
  }

  /** Returns the time between two exports. */
  Duration interval() throws UsageException {
    return millis(
        "OTEL_METRIC_EXPORT_INTERVAL",
        value(environment, "OTEL_METRIC_EXPORT_INTERVAL").orElse(INTERVAL));
  }

  private static Duration millis(String name, String text) throws UsageException {
    if (!text.matches("0*[1-9][0-9]{0,8}")) {
      throw new UsageException(name + " is a number of milliseconds, not \"" + text + "\"");
    }
    return Duration.ofMillis(Long.parseLong(text));
  }

  /** Returns what sends: retried five times, with growing pauses, within the time of an export. */
  OtlpHttpMetricExporter exporter() throws UsageException {
    OtlpHttpMetricExporterBuilder builder =
        OtlpHttpMetricExporter.builder()
            .setEndpoint(endpoint.toString())
            .setTimeout(millis(PREFIX + "TIMEOUT", variable("TIMEOUT").orElse(TIMEOUT)));
    pairs(variable("HEADERS").orElse("")).forEach(builder::addHeader);
    try {
      variable("COMPRESSION").ifPresent(builder::setCompression);
      Optional<String> trusted = variable("CERTIFICATE");
      if (trusted.isPresent()) {
        builder.setTrustedCertificates(Files.readAllBytes(Path.of(trusted.get())));
      }
      Optional<String> key = variable("CLIENT_KEY");
      Optional<String> certificate = variable("CLIENT_CERTIFICATE");
      if (key.isPresent() && certificate.isPresent()) {
        builder.setClientTls(
            Files.readAllBytes(Path.of(key.get())), Files.readAllBytes(Path.of(certificate.get())));
      }
      return builder.build();
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException("--otlp: what OTEL_EXPORTER_OTLP_* say cannot be used: " + e);
    }
  }

  /** Returns who sends: the service "ply" unless the environment names another. */
  Resource resource() {
    AttributesBuilder attributes = Attributes.builder().put("service.name", "ply");
    pairs(environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "")).forEach(attributes::put);
    value(environment, "OTEL_SERVICE_NAME").ifPresent(name -> attributes.put("service.name", name));
    return Resource.getDefault().merge(Resource.create(attributes.build()));
  }

  private static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(
            pair.substring(0, equals).strip(),
            URLDecoder.decode(pair.substring(equals + 1).strip(), StandardCharsets.UTF_8));
      }
    }
    return pairs;
  }
}
