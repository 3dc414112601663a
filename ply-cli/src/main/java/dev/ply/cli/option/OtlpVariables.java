package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code OTEL_EXPORTER_OTLP_*} say about a signal.
 *
 * @param signal that is sent
 * @param environment with the variables
 */
public record OtlpVariables(Signal signal, Map<String, String> environment) {
  private static final String PREFIX = "OTEL_EXPORTER_OTLP_";
  private static final String TIMEOUT = "10000";

  /** What is sent to a collector. */
  public enum Signal {
    /** Metrics. */
    METRICS("otlp", "/v1/metrics"),
    /** Profiles, which are under development. */
    PROFILES("otlp-profiles", "/v1development/profiles");

    private final String option;
    private final String path;

    Signal(String option, String path) {
      this.option = option;
      this.path = path;
    }
  }

  /**
   * Returns where the signal is sent to.
   *
   * @param url of the collector, with a path or without, or {@code -} for that of the environment
   */
  public URI endpoint(String url) throws UsageException {
    String protocol = variable("PROTOCOL").orElse("http/protobuf");
    if (!protocol.equals("http/protobuf")) {
      throw new UsageException(
          "--"
              + signal.option
              + " sends http/protobuf, and OTEL_EXPORTER_OTLP_PROTOCOL is \""
              + protocol
              + "\"");
    }
    String given =
        url.equals("-")
            ? value(PREFIX + signal + "_ENDPOINT")
                .or(() -> value(PREFIX + "ENDPOINT"))
                .orElse("http://localhost:4318")
            : url;
    return HttpUrl.parse(signal.option, given, "http://localhost:4318", signal.path);
  }

  /** Returns a variable, if it is set. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  /**
   * Returns a variable of the exporter: one for the signal takes precedence over that for all.
   *
   * @param name without {@code OTEL_EXPORTER_OTLP_}
   */
  public Optional<String> variable(String name) {
    return value(PREFIX + signal + "_" + name).or(() -> value(PREFIX + name));
  }

  /** Returns how long an export may take. */
  public Duration timeout() throws UsageException {
    return millis(PREFIX + "TIMEOUT", variable("TIMEOUT").orElse(TIMEOUT));
  }

  /** Returns the value of a variable as a number of milliseconds. */
  public static Duration millis(String name, String text) throws UsageException {
    if (!text.matches("0*[1-9][0-9]{0,8}")) {
      throw new UsageException(name + " is a number of milliseconds, not \"" + text + "\"");
    }
    return Duration.ofMillis(Long.parseLong(text));
  }

  /** Returns the headers of each request. */
  public Map<String, String> headers() {
    return pairs(variable("HEADERS").orElse(""));
  }

  /** Returns attributes of who sends: the service "ply" unless the environment names another. */
  public Map<String, String> resource() {
    Map<String, String> resource = new LinkedHashMap<>(Map.of("service.name", "ply"));
    resource.putAll(pairs(environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "")));
    value("OTEL_SERVICE_NAME").ifPresent(name -> resource.put("service.name", name));
    return resource;
  }

  /**
   * Returns names and values.
   *
   * @param text {@code a=b,c=d}, values as in URLs
   */
  public static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(pair.substring(0, equals).strip(), decoded(pair.substring(equals + 1).strip()));
      }
    }
    return pairs;
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // A percent sign of its own.
      return value;
    }
  }
}
