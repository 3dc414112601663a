package dev.ply.cli.serve;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.profile.ProfileExport;
import dev.ply.metrics.MetricOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the maps of scripts that are keyed by stacks are sent as profiles.
 *
 * @param pyroscope the URL of Pyroscope
 * @param otlp the URL of a collector that takes OpenTelemetry's profiles
 * @param interval between two profiles
 */
record ProfileConfig(Optional<String> pyroscope, Optional<String> otlp, Duration interval) {
  /** Sent nowhere. */
  static final ProfileConfig NONE =
      new ProfileConfig(Optional.empty(), Optional.empty(), Duration.ofSeconds(15));

  /** Returns whether profiles are sent. */
  boolean isUsed() {
    return pyroscope.isPresent() || otlp.isPresent();
  }

  /**
   * Returns what sends the profiles of a script; empty if they are sent nowhere.
   *
   * @throws UsageException if a URL cannot be used
   */
  Optional<ProfileExport> of(MetricOptions script, Console console) throws UsageException {
    return isUsed()
        ? Optional.of(ProfileExport.ofScript(console, pyroscope, otlp, interval, script))
        : Optional.empty();
  }
}
