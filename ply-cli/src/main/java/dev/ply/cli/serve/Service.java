package dev.ply.cli.serve;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Signals;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.metrics.Exporters;
import dev.ply.cli.metrics.Lifecycle;
import dev.ply.cli.metrics.ProcessMetrics;
import dev.ply.kernel.IgnoredSignals;
import dev.ply.kernel.process.ServiceManager;
import dev.ply.metrics.model.MetricFamily;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A service that runs: its scripts, its exporters, and what signals ask of it. */
final class Service {
  /** The interval of looking at scripts that start. */
  private static final Duration TICK = Duration.ofMillis(50);

  /** Detaching what is removed takes a while. */
  private static final Duration RELOAD_PATIENCE = Duration.ofSeconds(40);

  /** Requests that wait; more are the same. */
  private static final int MOST_WAITING = 16;

  private final Path file;
  private final Console console;
  private final ServiceManager manager;
  private final ServedScripts scripts;
  private final ServiceMetrics metrics = new ServiceMetrics();
  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>(MOST_WAITING);
  private ServeConfig config;
  private boolean isReady;

  /** The scripts are known. */
  private volatile boolean hasBegun;

  /** What is asked of the service. */
  private sealed interface Asked {
    /** To stop. */
    record Stop() implements Asked {}

    /** To read its configuration again; the answer is what is wrong with it. */
    record Reload(CompletableFuture<Optional<String>> problem) implements Asked {}
  }

  /**
   * Creates a service.
   *
   * @param file that the configuration was read from, and is read from again
   * @param manager learns of its state
   */
  Service(Path file, ServeConfig config, ServedScript.ServedBy by, ServiceManager manager) {
    this.file = file;
    this.config = config;
    this.console = by.console();
    this.manager = manager;
    this.scripts = new ServedScripts(by);
  }

  /**
   * Runs until a signal ends it, and returns the exit status.
   *
   * @throws UsageException if an exporter cannot start
   */
  int run() throws UsageException, InterruptedException {
    IgnoredSignals.heedInterrupt();
    Exporters exporters =
        new Exporters(
            config.prometheus(),
            config.webConfig(),
            new Lifecycle(
                this::isReady,
                config.reloads() ? Optional.of(this::reloadAndWait) : Optional.empty()),
            config.otlp());
    // The port first: one that is taken is an error before anything is attached.
    Exporters.Running running = exporters.start(console, this::families);
    try {
      Signals.onFirst(
          signal -> ask(new Asked.Stop()),
          () -> console.lastError("signalled again: the scripts are abandoned"));
      Signals.onEach("HUP", () -> ask(new Asked.Reload(new CompletableFuture<>())));
      scripts.apply(config.scripts());
      hasBegun = true;
      awaitReady();
      serve();
      console.message("stopping");
      manager.stopping();
      scripts.close();
    } finally {
      running.close();
    }
    return ExitCode.OK;
  }

  private void ask(Asked one) {
    if (!asked.offer(one) && one instanceof Asked.Stop) {
      asked.clear();
      boolean unused = asked.offer(one);
    }
  }

  private void awaitReady() throws InterruptedException {
    boolean isTried = false;
    while (!asked.contains(new Asked.Stop()) && !isTried) {
      isTried = scripts.awaitTried(TICK);
    }
    ready();
  }

  /** Each script runs, or has failed. */
  private synchronized boolean isReady() {
    isReady |=
        hasBegun && scripts.states().values().stream().allMatch(ScriptState.Snapshot::isTried);
    return isReady;
  }

  private void ready() {
    Map<String, ScriptState.Snapshot> states = scripts.states();
    long up = states.values().stream().filter(ScriptState.Snapshot::runs).count();
    String status =
        up + " of " + states.size() + (states.size() == 1 ? " script runs" : " scripts run");
    console.message("ready: " + status);
    manager.ready(status);
  }

  private void serve() throws InterruptedException {
    while (asked.take() instanceof Asked.Reload reload) {
      manager.reloading();
      Optional<String> problem = reload();
      reload.problem().complete(problem);
      ready();
    }
  }

  private Optional<String> reload() throws InterruptedException {
    try {
      ServeConfig next = ConfigReader.read(file);
      if (!next.exportsAs(config) || next.cost() != config.cost()) {
        console.warning(
            "prometheus, web_config_file, otlp, pyroscope, parca, otlp_profiles, profile_interval,"
                + " reload_by_http and cost have changed, which takes a restart: they stay as they"
                + " were");
      }
      config = next.exportingAs(config);
      scripts.apply(config.scripts());
      metrics.loaded(Instant.now());
      console.message(file + " is read again");
      return Optional.empty();
    } catch (UsageException e) {
      return Optional.of(refused(List.of(String.valueOf(e.getMessage()))));
    } catch (ConfigReader.Refusal e) {
      return Optional.of(refused(e.lines()));
    }
  }

  private String refused(List<String> errors) {
    metrics.refused();
    errors.forEach(console::error);
    console.error(file + " has errors: everything runs as before");
    return String.join("; ", errors);
  }

  /** Called by a thread of the server. */
  private Optional<String> reloadAndWait() {
    Asked.Reload reload = new Asked.Reload(new CompletableFuture<>());
    if (!asked.offer(reload)) {
      return Optional.of("too many requests are waiting");
    }
    try {
      return reload.problem().get(RELOAD_PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    } catch (ExecutionException | TimeoutException e) {
      return Optional.of("it takes longer than " + RELOAD_PATIENCE.toSeconds() + " s");
    }
  }

  private List<MetricFamily> families() {
    // Those of the service first: a script's map of the same name gives way.
    List<MetricFamily> all = new ArrayList<>(metrics.families(scripts.states()));
    all.addAll(ProcessMetrics.get());
    all.addAll(scripts.families());
    return all;
  }
}
