package dev.ply.kernel.feature;

import dev.ply.machine.KernelVersion;
import dev.ply.name.Errno;
import dev.ply.target.Mechanism;
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
  private final Map<Feature, Optional<Missing>> known = new EnumMap<>(Feature.class);

  /** Why a feature is unavailable: to all processes, or to those without privileges. */
  private record Missing(String reason, boolean isForAll) {}

  KernelFeatures(Supplier<KernelVersion> version, Function<Feature, Optional<Errno>> trial) {
    this.version = version;
    this.trial = trial;
  }

  /** Returns the features of the running kernel, always the same object. */
  public static KernelFeatures ofThisKernel() {
    return RUNNING;
  }

  /** Returns features of which each is assumed to be available, without a trial. */
  static KernelFeatures assumed() {
    return new KernelFeatures(KernelRelease::read, unused -> Optional.empty());
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
  public Optional<String> missing(Feature feature) {
    return find(feature).map(Missing::reason);
  }

  /** Returns why this process cannot attach by a mechanism; empty if it can. */
  public Optional<String> missing(Mechanism mechanism) {
    return switch (mechanism) {
      case FENTRY, FENTRY_SYSCALL -> missing(Feature.TRAMPOLINES);
      case KPROBE_MULTI -> missing(Feature.KPROBE_MULTI);
      case KPROBE, KPROBE_EVENTS -> missing(Feature.KPROBES);
      case RAW_SYSCALLS, RAW_TRACEPOINT -> missing(Feature.RAW_TRACEPOINTS);
      case TRACEPOINT -> missing(Feature.TRACEPOINTS);
      case DIRECT -> Optional.empty();
    };
  }

  /**
   * Returns why a feature is unavailable to all processes: kernel version or build option. Empty if
   * it is available, or this process lacks the privileges to tell.
   */
  public Optional<String> missingForAll(Feature feature) {
    return find(feature).filter(Missing::isForAll).map(Missing::reason);
  }

  private synchronized Optional<Missing> find(Feature feature) {
    Optional<Missing> found = known.get(feature);
    if (found == null) {
      found = tried(feature);
      known.put(feature, found);
    }
    return found;
  }

  private Optional<Missing> tried(Feature feature) {
    try {
      return trial.apply(feature).map(errno -> missing(feature, errno));
    } catch (UnreadableTargetException e) {
      return Optional.of(new Missing(String.valueOf(e.getMessage()), false));
    }
  }

  private Missing missing(Feature feature, Errno errno) {
    if (errno == Errno.EPERM || errno == Errno.EACCES) {
      return new Missing(
          "this process may not use " + feature.title() + " (" + errno.clause() + ")", false);
    }
    KernelVersion running = version.get();
    return new Missing(
        feature.isKnownTo(running)
            ? "this kernel was built without " + feature.title() + " (" + feature.option() + ")"
            : feature.title() + " came with Linux " + feature.since() + ", and this is " + running,
        true);
  }
}
