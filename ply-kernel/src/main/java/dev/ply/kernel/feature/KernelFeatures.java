package dev.ply.kernel.feature;

import dev.ply.result.Errno;
import dev.ply.target.KernelVersion;
import dev.ply.target.UnreadableTargetException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The tracing features of the running kernel. Each is probed on first use, once per process.
 * Thread-safe.
 */
public final class KernelFeatures {
  private static final KernelFeatures RUNNING =
      new KernelFeatures(KernelRelease::read, TryFeature::apply);

  private final Supplier<KernelVersion> version;
  private final Function<Feature, Optional<Errno>> trial;
  private final Map<Feature, Optional<String>> known = new EnumMap<>(Feature.class);

  KernelFeatures(Supplier<KernelVersion> version, Function<Feature, Optional<Errno>> trial) {
    this.version = version;
    this.trial = trial;
  }

  /** Returns the features of the running kernel, always the same object. */
  public static KernelFeatures ofThisKernel() {
    return RUNNING;
  }

  /** Returns whether a feature is available to this process. */
  public boolean has(Feature feature) {
    return missing(feature).isEmpty();
  }

  /**
   * Requires a feature.
   *
   * @throws UnsupportedFeatureException if it is unavailable to this process
   */
  public void require(Feature feature) {
    missing(feature)
        .ifPresent(
            reason -> {
              throw new UnsupportedFeatureException(feature, reason);
            });
  }

  /**
   * Returns why a feature is unavailable to this process: kernel version, build option or
   * privileges. Empty if it is available.
   */
  public synchronized Optional<String> missing(Feature feature) {
    Optional<String> reason = known.get(feature);
    if (reason == null) {
      reason = find(feature);
      known.put(feature, reason);
    }
    return reason;
  }

  private Optional<String> find(Feature feature) {
    try {
      return trial.apply(feature).map(errno -> reason(feature, errno));
    } catch (UnreadableTargetException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  private String reason(Feature feature, Errno errno) {
    if (errno == Errno.EPERM || errno == Errno.EACCES) {
      return "this process may not use " + feature.title() + " (" + errno.clause() + ")";
    }
    KernelVersion running = version.get();
    return feature.isKnownTo(running)
        ? "this kernel was built without " + feature.title() + " (" + feature.option() + ")"
        : feature.title() + " came with Linux " + feature.since() + ", and this is " + running;
  }
}
