package dev.ply.cli.serve;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.profile.ProfileExport;
import dev.ply.cli.profile.ProfileStores;
import dev.ply.metrics.MetricOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the maps of scripts that are keyed by stacks are sent as profiles.
 *
 * @param stores that they are sent to
 * @param interval between two profiles
 */
record ProfileConfig(ProfileStores stores, Duration interval) {
  /** Sent nowhere. */
  static final ProfileConfig NONE = new ProfileConfig(ProfileStores.NONE, Duration.ofSeconds(15));

  /** Returns whether profiles are sent. */
  boolean isUsed() {
    return stores.isUsed();
  }

  /**
   * Returns what sends the profiles of a script; empty if they are sent nowhere.
   *
   * @throws UsageException if a URL cannot be used
   */
  Optional<ProfileExport> of(MetricOptions script, Console console) throws UsageException {
    return isUsed()
        ? Optional.of(ProfileExport.ofScript(console, stores, interval, script))
        : Optional.empty();
  }
}
