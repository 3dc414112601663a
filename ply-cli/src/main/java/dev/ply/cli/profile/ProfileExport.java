package dev.ply.cli.profile;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.metrics.MetricExport;
import dev.ply.cli.metrics.ScriptName;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.run.Follower;
import dev.ply.diagnostic.Source;
import dev.ply.export.StackProfiles;
import dev.ply.ir.Script;
import dev.ply.kernel.RunningKernel;
import dev.ply.metrics.MetricOptions;
import dev.ply.table.TableSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;

/** Sends the maps of a trace that are keyed by stacks to stores of profiles while it runs. */
public final class ProfileExport implements Follower {
  /** The option for the URL of Pyroscope. */
  public static final String PYROSCOPE = "pyroscope";

  /** The option for the URL of Parca. */
  public static final String PARCA = "parca";

  /** The option for the URL of a collector that takes OpenTelemetry's profiles. */
  public static final String OTLP = "otlp-profiles";

  /** The option for the time between two profiles. */
  public static final String INTERVAL = "profile-interval";

  private static final Duration USUAL = Duration.ofSeconds(15);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Console console;
  private final List<ProfileStore.Maker> stores;
  private final Duration interval;
  private final StackProfiles.Limits limits;
  private final boolean isRequired;
  private final List<ProfilePusher> pushers = new ArrayList<>();
  private Optional<String> script = Optional.empty();
  private Set<String> maps = Set.of();

  private ProfileExport(
      Console console,
      List<ProfileStore.Maker> stores,
      Duration interval,
      StackProfiles.Limits limits,
      boolean isRequired) {
    this.isRequired = isRequired;
    this.console = console;
    this.stores = stores;
    this.interval = interval;
    this.limits = limits;
  }

  /**
   * Returns what sends the profiles of a trace as a command line asks for.
   *
   * @throws UsageException if a value is not what its option takes, or what the environment says
   *     beside it cannot be used
   */
  public static Follower.Maker of(CommandLine line) throws UsageException {
    Duration interval = interval(INTERVAL, OptionParser.value(line, INTERVAL));
    List<ProfileStore.Maker> stores =
        new ProfileStores(
                OptionParser.value(line, PYROSCOPE),
                OptionParser.value(line, PARCA),
                OptionParser.value(line, OTLP))
            .makers(System.getenv());
    StackProfiles.Limits limits = limits(MetricExport.options(line));
    return console -> new ProfileExport(console, stores, interval, limits, true);
  }

  /**
   * Returns what sends the profiles of one of several traces, if it has any.
   *
   * @param stores that they are sent to
   * @param interval between two profiles
   * @param options the limits of labels, and the name of the script
   * @throws UsageException if a URL, or what the environment says beside it, cannot be used
   */
  public static ProfileExport ofScript(
      Console console, ProfileStores stores, Duration interval, MetricOptions options)
      throws UsageException {
    ProfileExport export =
        new ProfileExport(
            console, stores.makers(System.getenv()), interval, limits(options), false);
    export.script = options.script();
    return export;
  }

  /**
   * Returns the time between two profiles.
   *
   * @param name of the setting, for errors
   * @throws UsageException if it is no time, too short or too long
   */
  public static Duration interval(String name, Optional<String> time) throws UsageException {
    return time.isPresent() ? Durations.within(name, time.get(), SHORTEST, LONGEST) : USUAL;
  }

  private static StackProfiles.Limits limits(MetricOptions options) {
    return new StackProfiles.Limits(
        options.threadLabels(), options.maxSeries(), options.seriesTtl());
  }

  @Override
  public Script extend(Source source, Script read) {
    script = ScriptName.of(source);
    return read;
  }

  /** Refuses a script without profiles before anything is attached. */
  @Override
  public PreparedTrace join(PreparedTrace trace) throws UsageException {
    for (TableSchema schema : trace.schemas()) {
      if (schema.isProfile() && !schema.addsUp()) {
        console.warning(
            schema.map()
                + " is not sent as a profile: what it has of two periods cannot be added up, as"
                + " counts and sums can");
      }
    }
    maps =
        trace.schemas().stream()
            .filter(StackProfiles::isPushed)
            .map(TableSchema::map)
            .collect(Collectors.toSet());
    if (maps.isEmpty() && !isRequired) {
      return trace;
    }
    if (maps.isEmpty()) {
      throw new UsageException(
          "--"
              + PYROSCOPE
              + ", --"
              + PARCA
              + " and --"
              + OTLP
              + " send maps that count by stacks, and this script has none; @[ustack] = count() is"
              + " one");
    }
    for (ProfileStore.Maker store : stores) {
      pushers.add(ProfilePusher.of(store.of(script), console, interval));
    }
    return trace;
  }

  @Override
  public void follow(Session session, ResultOutput results, Runnable end) {
    follow(session);
  }

  /** Sends what a session adds, from now on. */
  public void follow(Session session) {
    for (ProfilePusher pusher : pushers) {
      pusher.start(session, maps, new StackProfiles(new RunningKernel(), limits));
    }
  }

  /** What END did is sent, too: results can be read until the session is closed. */
  @Override
  public void stopped(Session session, ResultOutput results) {
    stopped();
  }

  /** Sends the rest of a session that has stopped. */
  public void stopped() {
    pushers.forEach(ProfilePusher::end);
  }

  @Override
  public boolean hasFailed() {
    return pushers.stream().anyMatch(ProfilePusher::hasFailed);
  }

  @Override
  public void close() {
    pushers.forEach(ProfilePusher::close);
  }
}
