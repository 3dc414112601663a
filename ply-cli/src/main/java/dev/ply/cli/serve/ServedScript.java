package dev.ply.cli.serve;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.DiagnosticLine;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.metrics.ScriptMetrics;
import dev.ply.cli.profile.ProfileExport;
import dev.ply.cli.run.Program;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Severity;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.model.MetricFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A script that runs always, on a thread of its own: it is started, started again when it has
 * failed, and replaced when its configuration has changed. What replaces it is loaded while the
 * earlier one still runs, and runs on if that fails. Thread-safe.
 */
final class ServedScript {
  /** The stack size in bytes, for scripts at the nesting limit. */
  private static final long STACK = 8 << 20;

  private final String name;
  private final ServedBy by;
  private final ScriptState state = new ScriptState();
  private final ReportLimit reported = new ReportLimit();
  private final Thread thread;

  /** Guarded by this. */
  private ScriptConfig wanted;

  /** Guarded by this. */
  private boolean isAsked = true;

  /** Guarded by this. */
  private boolean isClosing;

  /** Guarded by this. */
  private ScriptMetrics metrics;

  /** Used by the script's thread only, as are the fields below. */
  private Optional<RunningScript> running = Optional.empty();

  private MetricOptions limits;
  private int failures;
  private long begun;

  /**
   * What all scripts of a service have in common.
   *
   * @param measuresCost whether hits and times of probes are metrics
   * @param profiles where profiles are sent
   */
  record ServedBy(
      Console console,
      ScriptParsers parsers,
      Tracers tracers,
      Backoff backoff,
      boolean measuresCost,
      ProfileConfig profiles) {}

  ServedScript(ScriptConfig config, ServedBy by) {
    this.name = config.name();
    this.wanted = config;
    this.by = by;
    this.limits = config.metrics();
    this.metrics = new ScriptMetrics(limits, by.measuresCost());
    this.thread = new Thread(null, this::work, "ply-" + name, STACK);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Runs as a configuration says, from soon on; what is unchanged runs on. */
  synchronized void update(ScriptConfig config) {
    wanted = config;
    isAsked = true;
    notifyAll();
  }

  /** Stops it soon. */
  synchronized void beginClose() {
    isClosing = true;
    notifyAll();
  }

  /** Waits until it has stopped, and returns whether it has. */
  boolean awaitClosed(Duration timeout) throws InterruptedException {
    thread.join(Math.max(1, timeout.toMillis()));
    return !thread.isAlive();
  }

  /** Returns what has become of it. */
  ScriptState state() {
    return state;
  }

  /** Returns the metrics of its maps, up to date. */
  List<MetricFamily> families() {
    ScriptMetrics current;
    synchronized (this) {
      current = metrics;
    }
    return current.families();
  }

  private void work() {
    try {
      Optional<ScriptConfig> next = next(Optional.empty());
      while (next.isPresent()) {
        next = next(hasEnded() ? ended() : attempt(next.get()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stop();
      state.stopped();
    }
  }

  /**
   * Waits until there is something to do, and returns what should run; empty if nothing should.
   *
   * @param pause after which to try again
   */
  private synchronized Optional<ScriptConfig> next(Optional<Duration> pause)
      throws InterruptedException {
    long end = System.nanoTime() + pause.map(Duration::toNanos).orElse(0L);
    while (!isClosing && !isAsked && !hasEnded()) {
      if (pause.isEmpty()) {
        wait();
      } else {
        long left = end - System.nanoTime();
        if (left <= 0) {
          break;
        }
        wait(left / 1_000_000, (int) (left % 1_000_000));
      }
    }
    if (isAsked) {
      failures = 0;
      isAsked = false;
    }
    return isClosing ? Optional.empty() : Optional.of(wanted);
  }

  private boolean hasEnded() {
    return running.filter(RunningScript::hasEnded).isPresent();
  }

  private synchronized boolean isClosing() {
    return isClosing;
  }

  private synchronized void wake() {
    notifyAll();
  }

  /** Runs a script, unless it runs as it is, and returns after what pause to try again. */
  private Optional<Duration> attempt(ScriptConfig config) {
    try {
      run(config, by.parsers().parse(config));
      return Optional.empty();
    } catch (UsageException | RuntimeException | Error e) {
      return Optional.of(failed(Failure.of(e)));
    }
  }

  private void run(ScriptConfig config, Program program) throws UsageException {
    if (running.filter(one -> one.isOf(config, program.source())).isPresent()) {
      state.current();
      return;
    }
    Optional<ProfileExport> profiles = by.profiles().of(config.metrics(), by.console());
    RunningScript loaded = RunningScript.load(config, program, by.tracers(), this::warn, profiles);
    try {
      boolean isReplaced = running.isPresent();
      stop();
      limit(config.metrics());
      int probes = loaded.start(metrics(), this::report, this::wake);
      running = Optional.of(loaded);
      begun = System.nanoTime();
      by.console()
          .message(
              "script "
                  + name
                  + (isReplaced ? " replaced, " : " runs, ")
                  + probes
                  + (probes == 1 ? " probe" : " probes"));
      state.started();
    } catch (RuntimeException | Error e) {
      loaded.close();
      throw e;
    }
  }

  private synchronized ScriptMetrics metrics() {
    return metrics;
  }

  /** Other limits make other series: counters begin anew. */
  private synchronized void limit(MetricOptions chosen) {
    if (!chosen.equals(limits)) {
      limits = chosen;
      metrics = new ScriptMetrics(chosen, by.measuresCost());
    }
  }

  private Duration failed(Failure failure) {
    failures++;
    Duration pause = by.backoff().pause(failures);
    // What fails again in the same way is counted, and not reported.
    boolean isNew = failures == 1 || state.now().last().filter(failure::equals).isEmpty();
    if (isNew && !isClosing()) {
      by.console()
          .error(
              "script "
                  + name
                  + (running.isPresent() ? " runs as before (" : " does not run (")
                  + failure.kind().label()
                  + "): "
                  + failure.message()
                  + "; it is tried again, in "
                  + Math.max(1, Math.round(pause.toMillis() / 1e3))
                  + " s and then less often");
    } else {
      by.console().debug("script " + name + " fails as before; tried again in " + pause);
    }
    state.failed(failure, running.isPresent(), Instant.now());
    by.tracers().renew();
    return pause;
  }

  /** Ends a script that has ended by itself. */
  private Duration endedPause(Failure failure) {
    if (by.backoff().forgives(Duration.ofNanos(System.nanoTime() - begun))) {
      failures = 0;
    }
    return failed(failure);
  }

  private Optional<Duration> ended() {
    Failure failure = stop().orElse(new Failure(Failure.Kind.ENDED, "it has called exit"));
    return Optional.of(endedPause(failure));
  }

  /** Stops what runs, and returns what has failed. */
  private Optional<Failure> stop() {
    if (running.isEmpty()) {
      return Optional.empty();
    }
    RunningScript last = running.get();
    running = Optional.empty();
    try {
      last.stop(metrics());
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      return Optional.of(Failure.of(e));
    }
  }

  private void warn(String warning) {
    by.console().warning("script " + name + ": " + warning);
  }

  private void report(Diagnostic diagnostic) {
    reported
        .allowed(System.nanoTime())
        .ifPresent(
            left -> {
              String line = "script " + name + ": " + DiagnosticLine.of(diagnostic);
              String more = left == 0 ? "" : " (" + left + " reports before it were left out)";
              if (diagnostic.severity() == Severity.ERROR) {
                by.console().error(line + more);
              } else {
                by.console().warning(line + more);
              }
            });
  }
}
