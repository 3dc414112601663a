package dev.ply.cli.metrics;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.cli.option.OptionParser;
import dev.ply.metrics.model.MetricFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.commons.cli.CommandLine;

/**
 * Where metrics go.
 *
 * @param prometheus where they are served
 * @param otlp where they are sent
 */
record Exporters(Optional<ListenAddress> prometheus, Optional<String> otlp) {
  /** An exporter that runs. */
  interface Running {
    /** Ends it, after a last export. */
    void close();
  }

  /** Reads them from a command line. */
  static Exporters of(CommandLine line) throws UsageException {
    Optional<String> address = OptionParser.value(line, MetricExport.PROMETHEUS);
    return new Exporters(
        address.isPresent()
            ? Optional.of(ListenAddress.parse(MetricExport.PROMETHEUS, address.get()))
            : Optional.empty(),
        OptionParser.value(line, MetricExport.OTLP));
  }

  /**
   * Starts them.
   *
   * @param metrics what they export, up to date whenever it is asked for
   * @throws UsageException if one cannot start, or its libraries are missing
   */
  Running start(Console console, Supplier<List<MetricFamily>> metrics) throws UsageException {
    List<Running> started = new ArrayList<>();
    Running all = () -> started.forEach(Running::close);
    try {
      if (prometheus.isPresent()) {
        PrometheusServer server = PrometheusServer.open(prometheus.get(), metrics);
        started.add(server);
        console.message("metrics: " + server.url());
      }
      if (otlp.isPresent()) {
        started.add(OtlpExport.start(otlp.get(), System.getenv(), console, metrics));
      }
      return all;
    } catch (NoClassDefFoundError e) {
      all.close();
      throw new UsageException(
          "--prometheus and --otlp need the libraries of lib/metrics, which this installation"
              + " lacks: "
              + e.getMessage());
    } catch (UsageException | RuntimeException e) {
      all.close();
      throw e;
    }
  }
}
