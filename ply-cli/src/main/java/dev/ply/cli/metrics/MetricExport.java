package dev.ply.cli.metrics;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.run.Follower;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.model.MetricFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;

/** Exports the maps of a trace while it runs: {@code --prometheus}, {@code --otlp}. */
public final class MetricExport implements Follower {
  /** The option for where Prometheus scrapes. */
  public static final String PROMETHEUS = "prometheus";

  /** The option for TLS and passwords of the Prometheus endpoint. */
  public static final String WEB_CONFIG_FILE = "web-config-file";

  /** The option for where metrics are sent. */
  public static final String OTLP = "otlp";

  /** The option for the number of series. */
  public static final String MAX_SERIES = "max-series";

  /** The option for how long series are shown. */
  public static final String SERIES_TTL = "series-ttl";

  /** The option for labels of threads. */
  public static final String THREAD_LABELS = "thread-labels";

  private final Console console;
  private final Exporters exporters;
  private final MetricOptions options;
  private final boolean measuresCost;
  private Optional<ScriptMetrics> metrics = Optional.empty();
  private Optional<Script> exported = Optional.empty();
  private Optional<Exporters.Running> running = Optional.empty();

  private MetricExport(
      Console console, Exporters exporters, MetricOptions options, boolean measuresCost) {
    this.console = console;
    this.exporters = exporters;
    this.options = options;
    this.measuresCost = measuresCost;
  }

  /**
   * Returns what exports the maps of a trace as a command line asks for.
   *
   * @param measuresCost whether hits and times of probes are metrics, too
   */
  public static Follower.Maker of(CommandLine line, boolean measuresCost) throws UsageException {
    MetricOptions options = options(line);
    Exporters exporters = Exporters.of(line);
    return console -> new MetricExport(console, exporters, options, measuresCost);
  }

  /** {@return the limits that a command line sets} */
  public static MetricOptions options(CommandLine line) throws UsageException {
    MetricOptions options = MetricOptions.DEFAULT;
    Optional<String> most = OptionParser.value(line, MAX_SERIES);
    if (most.isPresent()) {
      if (!most.get().matches("0*[1-9][0-9]{0,6}")) {
        throw new UsageException(
            "--max-series takes a number from 1 to 9999999, not \"" + most.get() + "\"");
      }
      options = options.withMaxSeries(Integer.parseInt(most.get()));
    }
    Optional<String> time = OptionParser.value(line, SERIES_TTL);
    if (time.isPresent()) {
      options = options.withSeriesTtl(Durations.positive(SERIES_TTL, time.get()));
    }
    return line.hasOption(THREAD_LABELS) ? options.withThreadLabels() : options;
  }

  @Override
  public Script extend(Source source, Script script) {
    Optional<String> name = ScriptName.of(source);
    metrics =
        Optional.of(
            new ScriptMetrics(name.isPresent() ? options.of(name.get()) : options, measuresCost));
    exported = Optional.of(script);
    return ScriptMetrics.extended(script);
  }

  /** Opens the port before anything is attached: one that is taken is an error. */
  @Override
  public PreparedTrace join(PreparedTrace trace) throws UsageException {
    running = Optional.of(exporters.start(console, this::families));
    return trace;
  }

  private List<MetricFamily> families() {
    List<MetricFamily> families = new ArrayList<>(metrics.orElseThrow().families());
    families.addAll(ProcessMetrics.get());
    return families;
  }

  @Override
  public void follow(Session session, ResultOutput results, Runnable end) {
    metrics.orElseThrow().follow(session, exported.orElseThrow());
  }

  /** What END did is exported, too: results can be read until the session is closed. */
  @Override
  public void stopped(Session session, ResultOutput results) {
    running.ifPresent(Exporters.Running::close);
    running = Optional.empty();
    metrics.orElseThrow().release();
  }

  @Override
  public void close() {
    running.ifPresent(Exporters.Running::close);
  }
}
