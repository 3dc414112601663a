package dev.ply.cli.metrics;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpsConfigurator;
import dev.ply.cli.io.HttpLimits;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.metrics.PrometheusMetrics;
import dev.ply.metrics.model.MetricFamily;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Serves metrics to Prometheus, in the format that each request asks for. */
final class PrometheusServer implements Exporters.Running {
  /** It reports each client that hangs up. Kept, so that its level stays. */
  private static final Logger LIBRARY = Logger.getLogger("io.prometheus");

  private static final int MOST_THREADS = 64;
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** The stack size in bytes. */
  private static final long STACK = 512 << 10;

  private final HTTPServer server;
  private final String url;

  private PrometheusServer(HTTPServer server, String url) {
    this.server = server;
    this.url = url;
  }

  /**
   * Who can read metrics, and how.
   *
   * @param encryption empty for plain HTTP
   * @param authentication empty for everybody
   */
  record Access(Optional<HttpsConfigurator> encryption, Optional<Authenticator> authentication) {
    /** Everybody, by plain HTTP. */
    static final Access OPEN = new Access(Optional.empty(), Optional.empty());
  }

  /**
   * Opens the port to everybody.
   *
   * @throws UsageException if it is taken
   */
  static PrometheusServer open(
      ListenAddress address, Lifecycle lifecycle, Supplier<List<MetricFamily>> metrics)
      throws UsageException {
    return open(address, Access.OPEN, lifecycle, metrics);
  }

  /**
   * Opens the port.
   *
   * @throws UsageException if it is taken
   */
  static PrometheusServer open(
      ListenAddress address,
      Access access,
      Lifecycle lifecycle,
      Supplier<List<MetricFamily>> metrics)
      throws UsageException {
    HttpLimits.set();
    LIBRARY.setLevel(Level.OFF);
    // A client that is slower is dropped.
    System.setProperty("sun.net.httpserver.maxRspTime", "60");
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(new PrometheusMetrics(metrics));
    InetSocketAddress socket = address.socket();
    HTTPServer.Builder builder =
        HTTPServer.builder()
            .inetAddress(socket.getAddress())
            .port(socket.getPort())
            .registry(registry)
            .executorService(threads())
            .registerHealthHandler(false)
            .defaultHandler(new LifecyclePages(lifecycle));
    access.encryption().ifPresent(builder::httpsConfigurator);
    access.authentication().ifPresent(builder::authenticator);
    try {
      HTTPServer server = builder.buildAndStart();
      String host = address.host().orElse("localhost");
      return new PrometheusServer(
          server,
          (access.encryption().isPresent() ? "https://" : "http://")
              + (host.contains(":") ? "[" + host + "]" : host)
              + ":"
              + server.getPort()
              + "/metrics");
    } catch (IOException e) {
      throw new UsageException(
          "prometheus: port " + socket.getPort() + " cannot be opened: " + e.getMessage());
    }
  }

  /** Each client that is silent in the middle of a request, or of a handshake, has one. */
  private static ExecutorService threads() {
    return new ThreadPoolExecutor(
        0,
        MOST_THREADS,
        IDLE.toMillis(),
        TimeUnit.MILLISECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(null, task, "ply-http", STACK);
          thread.setDaemon(true);
          return thread;
        });
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
