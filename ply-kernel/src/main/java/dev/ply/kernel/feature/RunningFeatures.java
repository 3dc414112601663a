package dev.ply.kernel.feature;

import dev.ply.bpf.object.KernelLocation;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.pmu.KprobeUnit;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.machine.Architecture;
import dev.ply.machine.KernelVersion;
import dev.ply.machine.SystemCallNames;
import dev.ply.name.Errno;
import dev.ply.probe.Provider;
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Mechanism;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The mechanisms that the running kernel offers. What the version implies is not probed.
 * Thread-safe.
 */
public final class RunningFeatures implements AttachFeatures {
  private static final Path BTF = Path.of("/sys/kernel/btf/vmlinux");

  private final KernelFeatures features;
  private final Supplier<KernelVersion> version;
  private final Optional<Architecture> architecture;
  private final boolean isOfOtherFunctions;
  private final Optional<KprobeUnit> kprobes;

  /**
   * Creates the features of a kernel version for this process.
   *
   * @param isOfOtherFunctions whether probes of functions are those of another kernel's list
   */
  public RunningFeatures(
      KernelFeatures features,
      Supplier<KernelVersion> version,
      Optional<Architecture> architecture,
      boolean isOfOtherFunctions) {
    this(features, version, architecture, isOfOtherFunctions, KprobeUnit.ofThisKernel());
  }

  private RunningFeatures(
      KernelFeatures features,
      Supplier<KernelVersion> version,
      Optional<Architecture> architecture,
      boolean isOfOtherFunctions,
      Optional<KprobeUnit> kprobes) {
    this.features = features;
    this.version = version;
    this.architecture = architecture;
    this.isOfOtherFunctions = isOfOtherFunctions;
    this.kprobes = kprobes;
  }

  /**
   * {@return the features of a kernel version, of which those that only a trial would tell are
   * assumed to be there: nothing is loaded or opened}
   */
  public static RunningFeatures untried(
      Supplier<KernelVersion> version, Optional<Architecture> architecture) {
    return new RunningFeatures(
        KernelFeatures.assumed(), version, architecture, false, Optional.empty());
  }

  @Override
  public Optional<String> reasonAgainst(Mechanism mechanism) {
    return switch (mechanism) {
      case FENTRY -> reasonAgainstTrampolines();
      case KPROBE_MULTI -> features.missing(Feature.KPROBE_MULTI);
      case FENTRY_SYSCALL ->
          // Kernels have both or neither, and probing would read BTF first.
          kprobes.isPresent()
              ? reasonAgainst(Mechanism.FENTRY)
              : Optional.of("a kernel without kprobes is not asked for trampolines");
      case RAW_SYSCALLS ->
          architecture.filter(known -> !known.systemCallArguments().isEmpty()).isPresent()
              ? Optional.empty()
              : Optional.of("the system calls of this architecture are unknown");
      case RAW_TRACEPOINT ->
          // Before, a program could interrupt itself, and updates were lost.
          since(6, 1, "programs on raw tracepoints may interrupt themselves");
      case KPROBE, KPROBE_EVENTS, TRACEPOINT, DIRECT -> Optional.empty();
    };
  }

  @Override
  public Optional<String> lacking(Provider provider) {
    return switch (provider.site()) {
      case FUNCTION -> lacking(Feature.KPROBES, isOfOtherFunctions);
      case TYPED_FUNCTION -> lacking(Feature.TRAMPOLINES, isOfOtherFunctions);
      case USER_FUNCTION, USDT -> lacking(Feature.UPROBES, false);
      case TRACEPOINT,
          RAW_TRACEPOINT,
          TIMER,
          SOFTWARE_COUNTER,
          HARDWARE_COUNTER,
          MEMORY,
          OBJECTS,
          SCHEDULER,
          TRACER ->
          Optional.empty();
    };
  }

  private Optional<String> lacking(Feature feature, boolean isElsewhere) {
    return isElsewhere ? Optional.empty() : features.missingForAll(feature);
  }

  /**
   * Requests a kprobe inside the first instruction, which the kernel refuses without creating it;
   * the errno tells whether the name is unique and allowed. Reading all of /proc/kallsyms would
   * take 200 ms. Where instructions are aligned, as on Arm, the errno does not tell; no function
   * counts as probeable there, and kprobes stay kprobes.
   */
  @Override
  public boolean isProbeable(String function, KernelSymbols symbols) {
    Optional<Errno> answer = answer(function);
    if (answer.isEmpty()) {
      return AttachFeatures.super.isProbeable(function, symbols);
    }
    return answer.get().isSuccess() || answer.get() == Errno.EILSEQ;
  }

  /** {@inheritDoc} Requests a kprobe as {@link #isProbeable} does. */
  @Override
  public boolean isMissing(String function, KernelSymbols symbols) {
    Optional<Errno> answer = answer(function);
    return answer.isEmpty()
        ? AttachFeatures.super.isMissing(function, symbols)
        : answer.get() == Errno.ENOENT;
  }

  /**
   * {@inheritDoc} Requests a kprobe as {@link #isProbeable} does. Before Linux 6.7, kernels take
   * the first function of a name.
   */
  @Override
  public boolean isShared(String function, KernelSymbols symbols) {
    Optional<Errno> answer = answer(function);
    return (answer.isEmpty() || !version.get().isAtLeast(6, 7))
        ? AttachFeatures.super.isShared(function, symbols)
        : answer.get() == Errno.EADDRNOTAVAIL;
  }

  /**
   * Returns the kernel's answer to a kprobe inside an instruction; empty if it may not be asked.
   */
  private Optional<Errno> answer(String function) {
    if (kprobes.isEmpty()) {
      return Optional.empty();
    }
    KernelLocation within = new KernelLocation.Symbol(Optional.empty(), function, 1);
    try {
      SystemCalls.openPerfEvent(
              kprobes.get().attr(within, false),
              CpuSet.online().number(0),
              "kprobe:" + within.text())
          .close();
      return Optional.of(Errno.NONE);
    } catch (KernelException e) {
      return e.errno() == Errno.EACCES || e.errno() == Errno.EPERM
          ? Optional.empty()
          : Optional.of(e.errno());
    }
  }

  private Optional<String> reasonAgainstTrampolines() {
    Optional<KernelVersion> since = architecture.flatMap(Architecture::trampolines);
    if (since.isEmpty()) {
      return Optional.of("not every kernel of this architecture has it");
    }
    return since(since.get().major(), since.get().minor(), architecture.get().withoutTrampolines());
  }

  private Optional<String> since(int major, int minor, String before) {
    return version.get().isAtLeast(major, minor)
        ? Optional.empty()
        : Optional.of("before Linux " + major + "." + minor + " " + before);
  }

  @Override
  public boolean hasCookies(Mechanism mechanism) {
    return switch (mechanism) {
      case KPROBE, KPROBE_EVENTS, TRACEPOINT -> version.get().isAtLeast(5, 15);
      case KPROBE_MULTI -> version.get().isAtLeast(5, 18);
      case RAW_TRACEPOINT -> version.get().isAtLeast(6, 10);
      case FENTRY, FENTRY_SYSCALL -> version.get().isAtLeast(6, 0);
      case RAW_SYSCALLS, DIRECT -> false;
    };
  }

  @Override
  public boolean allocatesEntries() {
    return version.get().isAtLeast(6, 1);
  }

  @Override
  public OptionalInt systemCall(String name) {
    return architecture.stream()
        .flatMapToLong(known -> SystemCallNames.numberOfFunction(known, name).stream())
        .mapToInt(Math::toIntExact)
        .findFirst();
  }

  @Override
  public Optional<ForeignCalls> foreignCalls() {
    return architecture
        .flatMap(Architecture::foreignCalls)
        .map(
            status ->
                new ForeignCalls(
                    version.get().compareTo(status.moved()) >= 0
                        ? status.offset()
                        : status.firstOffset(),
                    status.mask()));
  }

  /**
   * {@inheritDoc}
   *
   * <p>The helpers exist since Linux 5.11 and 5.15, and require BTF; other architectures are not
   * supported.
   */
  @Override
  public boolean loadsThread() {
    return architecture.filter(Architecture::loadsThread).isPresent()
        && version.get().isAtLeast(5, 15)
        && Files.exists(BTF);
  }
}
