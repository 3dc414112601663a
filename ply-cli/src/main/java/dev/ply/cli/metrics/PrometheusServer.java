package dev.ply.cli.metrics;

import dev.ply.cli.io.HttpLimits;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.metrics.PrometheusMetrics;
import dev.ply.metrics.model.MetricFamily;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Serves metrics to Prometheus, in the format that each request asks for. */
final class PrometheusServer implements Exporters.Running {
  /** It reports each client that hangs up. Kept, so that its level stays. */
  private static final Logger LIBRARY = Logger.getLogger("io.prometheus");

  private final HTTPServer server;
  private final String url;

  private PrometheusServer(HTTPServer server, String url) {
    this.server = server;
    this.url = url;
  }

  /**
   * Opens the port.
   *
   * @throws UsageException if it is taken
   */
  static PrometheusServer open(
      ListenAddress address, Lifecycle lifecycle, Supplier<List<MetricFamily>> metrics)
      throws UsageException {
    HttpLimits.set();
    LIBRARY.setLevel(Level.OFF);
    // A client that is silent for longer is dropped.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "60");
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(new PrometheusMetrics(metrics));
    InetSocketAddress socket = address.socket();
    HTTPServer.Builder builder =
        HTTPServer.builder()
            .inetAddress(socket.getAddress())
            .port(socket.getPort())
            .registry(registry)
            .registerHealthHandler(false)
            .defaultHandler(new LifecyclePages(lifecycle));
    try {
      HTTPServer server = builder.buildAndStart();
      String host = address.host().orElse("localhost");
      return new PrometheusServer(
          server,
          "http://"
              + (host.contains(":") ? "[" + host + "]" : host)
              + ":"
              + server.getPort()
              + "/metrics");
    } catch (IOException e) {
      throw new UsageException(
          "prometheus: port " + socket.getPort() + " cannot be opened: " + e.getMessage());
    }
  }

  /** Returns where the metrics are. */
  String url() {
    return url;
  }

  @Override
  public void close() {
    server.close();
  }
}
