package dev.ply.cli.metrics;

import dev.ply.cli.io.UsageException;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import java.nio.file.Path;

/** Prometheus' web configuration file. */
final class WebConfig {
  static WebConfig read(Path file) throws UsageException {
    throw new UsageException("--web-config is not there yet: " + file);
  }

  void apply(HTTPServer.Builder builder) {}
}
