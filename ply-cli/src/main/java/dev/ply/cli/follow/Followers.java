package dev.ply.cli.follow;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.live.LiveFollower;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.metrics.MetricExport;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import dev.ply.cli.profile.ProfileExport;
import dev.ply.cli.run.Follower;
import dev.ply.cli.web.LivePage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;

/** The options for what follows a trace while it runs, with the same names everywhere. */
public final class Followers {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration USUAL = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  /** Measures what the trace costs. */
  static final CommandOption COST =
      CommandOption.flag(
          "", "cost", "measure what the trace costs: hits, ns a hit and % of a CPU of each probe");

  /** Where Prometheus scrapes the maps. */
  static final CommandOption PROMETHEUS =
      CommandOption.valued(
          "",
          MetricExport.PROMETHEUS,
          Argument.of("[HOST:]PORT", Argument.Kind.TEXT),
          "serve the maps to Prometheus at http://HOST:PORT/metrics (localhost)");

  /** TLS and users of that server. */
  static final CommandOption WEB_CONFIG_FILE =
      CommandOption.valued(
          "",
          MetricExport.WEB_CONFIG_FILE,
          Argument.of("FILE", Argument.Kind.FILE),
          "TLS and passwords for --prometheus, in the form of Prometheus' web.config.file");

  /** Where the maps are sent to. */
  static final CommandOption OTLP =
      CommandOption.valued(
          "",
          MetricExport.OTLP,
          Argument.of("URL", Argument.Kind.TEXT),
          "send the maps to an OpenTelemetry collector at URL (-: as OTEL_EXPORTER_OTLP_* say)");

  /** Where profiles are sent to. */
  static final CommandOption PYROSCOPE =
      CommandOption.valued(
          "",
          ProfileExport.PYROSCOPE,
          Argument.of("URL", Argument.Kind.TEXT),
          "send maps keyed by stacks to Pyroscope at URL (-: as PYROSCOPE_* say)");

  /** Where profiles are sent to Parca. */
  static final CommandOption PARCA =
      CommandOption.valued(
          "",
          ProfileExport.PARCA,
          Argument.of("URL", Argument.Kind.TEXT),
          "send maps keyed by stacks to Parca at URL");

  /** Where profiles of OpenTelemetry are sent to. */
  static final CommandOption OTLP_PROFILES =
      CommandOption.valued(
          "",
          ProfileExport.OTLP,
          Argument.of("URL", Argument.Kind.TEXT),
          "send maps keyed by stacks as OpenTelemetry's profiles, which are under development");

  /** The time between two profiles. */
  static final CommandOption PROFILE_INTERVAL =
      CommandOption.valued(
          "",
          ProfileExport.INTERVAL,
          Argument.of("TIME", Argument.Kind.DURATION),
          "send profiles each TIME (15s)");

  /** The number of series of a metric. */
  static final CommandOption MAX_SERIES =
      CommandOption.valued(
          "",
          MetricExport.MAX_SERIES,
          Argument.of("N", Argument.Kind.NUMBER),
          "the maximum number of series of a metric (1000); one more has the rest");

  /** How long series are shown after their last change. */
  static final CommandOption SERIES_TTL =
      CommandOption.valued(
          "",
          MetricExport.SERIES_TTL,
          Argument.of("TIME", Argument.Kind.TEXT),
          "drop series that have not changed for TIME (1h)");

  /** Labels for threads and processes. */
  static final CommandOption THREAD_LABELS =
      CommandOption.flag("", MetricExport.THREAD_LABELS, "keep pid and tid as labels of metrics");

  /** Shows the trace in the terminal. */
  static final CommandOption LIVE =
      CommandOption.optional(
          "live",
          Argument.of("TIME", Argument.Kind.DURATION),
          "show maps and events in the terminal, refreshed each second, or each TIME (100ms, 5s)");

  /** Serves the page of results. */
  static final CommandOption WEB =
      CommandOption.valued(
          "",
          LivePage.OPTION,
          Argument.of("[HOST:]PORT", Argument.Kind.TEXT),
          "serve a page of the results while the trace runs, to this machine alone unless HOST is"
              + " given (port 0: any that is free)");

  private Followers() {}

  /** {@return all options} */
  public static CommandOption[] options() {
    return new CommandOption[] {
      LIVE,
      WEB,
      COST,
      OverheadLimit.OPTION,
      PROMETHEUS,
      WEB_CONFIG_FILE,
      OTLP,
      PYROSCOPE,
      PARCA,
      OTLP_PROFILES,
      PROFILE_INTERVAL,
      MAX_SERIES,
      SERIES_TTL,
      THREAD_LABELS,
      Shared.DROP_PRIVILEGES,
      Shared.KEEP_CAPABILITIES
    };
  }

  private static void requireNone(CommandLine line, String remedy, CommandOption... of)
      throws UsageException {
    for (CommandOption option : of) {
      if (line.hasOption(option.name())) {
        throw new UsageException("--" + option.name() + remedy);
      }
    }
  }

  /**
   * {@return what a command line asks for}
   *
   * @throws UsageException if a value is not what its option takes
   */
  public static List<Follower.Maker> of(CommandLine line) throws UsageException {
    List<Follower.Maker> makers = new ArrayList<>();
    if (line.hasOption(COST.name())) {
      makers.add(CostFollower::new);
    }
    OverheadLimit.of(line).map(OverheadFollower.Maker::new).ifPresent(makers::add);
    boolean hasMetrics = line.hasOption(PROMETHEUS.name()) || line.hasOption(OTLP.name());
    boolean hasProfiles =
        line.hasOption(PYROSCOPE.name())
            || line.hasOption(PARCA.name())
            || line.hasOption(OTLP_PROFILES.name());
    if (!line.hasOption(PROMETHEUS.name())) {
      requireNone(
          line, " is for the server of --prometheus PORT, which is not given", WEB_CONFIG_FILE);
    }
    if (hasMetrics) {
      makers.add(MetricExport.of(line, line.hasOption(COST.name())));
    }
    if (hasProfiles) {
      makers.add(ProfileExport.of(line));
    } else {
      requireNone(
          line,
          " is for profiles that are sent, and there are none; --pyroscope URL sends them",
          PROFILE_INTERVAL);
    }
    if (!hasMetrics && !hasProfiles) {
      requireNone(
          line,
          " is for exported metrics, and there are none; --prometheus PORT or --otlp URL exports"
              + " them",
          MAX_SERIES,
          SERIES_TTL,
          THREAD_LABELS);
    }
    if (line.hasOption(LIVE.name())) {
      String time = OptionParser.value(line, LIVE.name()).orElse("");
      Duration period =
          time.isEmpty() ? USUAL : Durations.within(LIVE.name(), time, SHORTEST, LONGEST);
      makers.add(console -> new LiveFollower(console, period));
    }
    Optional<String> address = OptionParser.value(line, WEB.name());
    if (address.isPresent()) {
      makers.add(LivePage.at(address.get()));
    }
    return makers;
  }
}
