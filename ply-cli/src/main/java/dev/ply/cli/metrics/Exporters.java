package dev.ply.cli.metrics;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.webconfig.WebConfig;
import dev.ply.metrics.model.MetricFamily;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.commons.cli.CommandLine;

/**
 * Where metrics go.
 *
 * @param prometheus where they are served
 * @param webConfig Prometheus' file about TLS and users
 * @param lifecycle what else is served there
 * @param otlp where they are sent
 */
public record Exporters(
    Optional<ListenAddress> prometheus,
    Optional<Path> webConfig,
    Lifecycle lifecycle,
    Optional<String> otlp) {
  /** An exporter that runs. */
  public interface Running {
    /** Ends it, after a last export. */
    void close();
  }

  /** Reads them from a command line. */
  static Exporters of(CommandLine line) throws UsageException {
    Optional<String> address = OptionParser.value(line, MetricExport.PROMETHEUS);
    return new Exporters(
        address.isPresent()
            ? Optional.of(ListenAddress.parse("--" + MetricExport.PROMETHEUS, address.get()))
            : Optional.empty(),
        OptionParser.path(line, MetricExport.WEB_CONFIG_FILE),
        Lifecycle.OF_COMMAND,
        OptionParser.value(line, MetricExport.OTLP));
  }

  /**
   * Starts them.
   *
   * @param metrics what they export, up to date whenever it is asked for
   * @throws UsageException if one cannot start, or its libraries are missing
   */
  public Running start(Console console, Supplier<List<MetricFamily>> metrics)
      throws UsageException {
    List<Running> started = new ArrayList<>();
    // How often exports to a collector failed is read where it works.
    List<Supplier<List<MetricFamily>>> served = new CopyOnWriteArrayList<>(List.of(metrics));
    Running all = () -> started.forEach(Running::close);
    try {
      if (prometheus.isPresent()) {
        PrometheusServer server = open(prometheus.get(), console, () -> all(served));
        started.add(server);
        console.message("metrics: " + server.url());
      }
      if (otlp.isPresent()) {
        OtlpExport export = OtlpExport.start(otlp.get(), System.getenv(), console, metrics);
        started.add(export);
        served.add(export::families);
      }
      return all;
    } catch (NoClassDefFoundError e) {
      all.close();
      throw new UsageException(
          "exports of metrics need the libraries of lib/metrics, which this installation lacks: "
              + e.getMessage());
    } catch (UsageException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private static List<MetricFamily> all(List<Supplier<List<MetricFamily>>> parts) {
    return parts.stream().flatMap(part -> part.get().stream()).toList();
  }

  private PrometheusServer open(
      ListenAddress address, Console console, Supplier<List<MetricFamily>> metrics)
      throws UsageException {
    if (webConfig.isEmpty()) {
      return PrometheusServer.open(address, lifecycle, metrics);
    }
    WebConfig config = WebConfig.read(webConfig.get());
    return PrometheusServer.open(
        address,
        new PrometheusServer.Access(
            config.encryption(console), config.authentication(webConfig.get(), console)),
        lifecycle,
        metrics);
  }
}
