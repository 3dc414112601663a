package dev.ply.cli.serve;

import dev.ply.metrics.model.MetricFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** All scripts of a service. One thread changes which there are; any can read. */
final class ServedScripts {
  /** Detaching thousands of probes takes seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ServedScript.ServedBy by;
  private final MergedFamilies merged;
  private volatile Map<String, ServedScript> scripts = Map.of();

  ServedScripts(ServedScript.ServedBy by) {
    this.by = by;
    this.merged = new MergedFamilies(by.console());
  }

  /**
   * Runs the scripts of a configuration. What is unchanged runs on, what has changed is replaced,
   * and what is no longer there is stopped.
   */
  void apply(List<ScriptConfig> configs) throws InterruptedException {
    Set<String> names = configs.stream().map(ScriptConfig::name).collect(Collectors.toSet());
    Map<String, ServedScript> next = new LinkedHashMap<>();
    List<ServedScript> added = new ArrayList<>();
    by.tracers().renew();
    for (ScriptConfig config : configs) {
      ServedScript known = scripts.get(config.name());
      if (known != null) {
        known.update(config);
        next.put(config.name(), known);
      } else {
        ServedScript script = new ServedScript(config, by);
        added.add(script);
        next.put(config.name(), script);
      }
    }
    List<ServedScript> removed = new ArrayList<>();
    scripts.forEach(
        (name, script) -> {
          if (!names.contains(name)) {
            removed.add(script);
            by.console().message("script " + name + " removed");
          }
        });
    scripts = next;
    stop(removed);
    added.forEach(ServedScript::start);
  }

  /** Stops all; their metrics stay. */
  void close() throws InterruptedException {
    stop(List.copyOf(scripts.values()));
  }

  private void stop(List<ServedScript> all) throws InterruptedException {
    all.forEach(ServedScript::beginClose);
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (ServedScript one : all) {
      if (!one.awaitClosed(Duration.ofNanos(end - System.nanoTime()))) {
        by.console().warning("a script does not stop; its probes are detached with the process");
      }
    }
  }

  /**
   * Waits until a script is in a state, for some time, and returns whether it is.
   *
   * @param name of a script of the configuration
   */
  boolean await(String name, Predicate<ScriptState.Snapshot> isMet, Duration timeout)
      throws InterruptedException {
    ServedScript script = scripts.get(name);
    return script != null && script.state().await(isMet, timeout);
  }

  /** Waits until each script runs or has failed, for some time, and returns whether it is so. */
  boolean awaitTried(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    for (String name : scripts.keySet()) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!await(name, ScriptState.Snapshot::isTried, left)) {
        return false;
      }
    }
    return true;
  }

  /** Returns what has become of each script, by name. */
  Map<String, ScriptState.Snapshot> states() {
    Map<String, ScriptState.Snapshot> states = new LinkedHashMap<>();
    scripts.forEach((name, script) -> states.put(name, script.state().now()));
    return states;
  }

  /** Returns the metrics of all scripts, up to date. */
  List<MetricFamily> families() {
    Map<String, List<MetricFamily>> all = new LinkedHashMap<>();
    scripts.forEach(
        (name, script) -> {
          try {
            all.put(name, script.families());
          } catch (RuntimeException e) {
            by.console().warning("the maps of script " + name + " cannot be read: " + e);
          }
        });
    return merged.of(all);
  }
}
