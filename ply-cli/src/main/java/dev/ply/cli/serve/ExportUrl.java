package dev.ply.cli.serve;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The keys of a configuration that are URLs to send to. */
enum ExportUrl {
  OTLP("http://localhost:4318", Optional.of("the endpoint that OTEL_EXPORTER_OTLP_* give")),
  PYROSCOPE("http://localhost:4040", Optional.of("PYROSCOPE_SERVER_ADDRESS")),
  PARCA("http://localhost:7070", Optional.empty()),
  OTLP_PROFILES(
      "http://localhost:4318", Optional.of("the endpoint that OTEL_EXPORTER_OTLP_* give"));

  private final String example;
  private final Optional<String> ofEnvironment;

  ExportUrl(String example, Optional<String> ofEnvironment) {
    this.example = example;
    this.ofEnvironment = ofEnvironment;
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  String example() {
    return example;
  }

  /** Returns which variable {@code -} stands for, if it stands for one. */
  Optional<String> ofEnvironment() {
    return ofEnvironment;
  }

  boolean takes(String text) {
    if (text.equals("-")) {
      return ofEnvironment.isPresent();
    }
    try {
      URI uri = URI.create(text);
      return uri.getHost() != null && Set.of("http", "https").contains(uri.getScheme());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
