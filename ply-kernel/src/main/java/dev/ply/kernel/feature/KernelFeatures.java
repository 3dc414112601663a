package dev.ply.kernel.feature;

import dev.ply.kernel.error.Errno;
import dev.ply.target.KernelVersion;
import dev.ply.target.UnreadableTargetException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a kernel offers for tracing. Each feature is tried when it is first asked for, and once: a
 * kernel does not change while a process lives. Thread-safe.
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

  /** Tells whether the kernel offers a feature to this process. */
  public boolean has(Feature feature) {
    return missing(feature).isEmpty();
  }

  /**
   * Asks for a feature.
   *
   * @throws UnsupportedFeatureException if the kernel does not offer it to this process
   */
  public void require(Feature feature) {
    missing(feature)
        .ifPresent(
            reason -> {
              throw new UnsupportedFeatureException(feature, reason);
            });
  }

  /**
   * Returns why the kernel does not offer a feature to this process: its version, the option that
   * it was built without, or what this process may not do. Empty if it offers it.
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
      return "this process may not use " + feature.title() + " (" + errno.message() + ")";
    }
    KernelVersion running = version.get();
    return feature.isKnownTo(running)
        ? "this kernel was built without " + feature.title() + " (" + feature.option() + ")"
        : feature.title() + " came with Linux " + feature.since() + ", and this is " + running;
  }
}
