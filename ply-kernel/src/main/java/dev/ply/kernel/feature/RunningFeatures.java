package dev.ply.kernel.feature;

import dev.ply.bpf.object.KernelLocation;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.pmu.KprobeUnit;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.Architecture;
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelVersion;
import dev.ply.target.Mechanism;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * What the running kernel offers to attach programs with, and whether it shows them the same. What
 * a version number tells is not tried. Thread-safe.
 */
public final class RunningFeatures implements AttachFeatures {
  private static final int TS_COMPAT = 2;
  private static final Path BTF = Path.of("/sys/kernel/btf/vmlinux");

  private final KernelFeatures features;
  private final Supplier<KernelVersion> version;
  private final Optional<Architecture> architecture;
  private final Optional<KprobeUnit> kprobes = KprobeUnit.ofThisKernel();

  /** What a kernel of that version offers, this process's own. */
  public RunningFeatures(
      KernelFeatures features,
      Supplier<KernelVersion> version,
      Optional<Architecture> architecture) {
    this.features = features;
    this.version = version;
    this.architecture = architecture;
  }

  @Override
  public Optional<String> reasonAgainst(Mechanism mechanism) {
    return switch (mechanism) {
      case FENTRY ->
          // Before, nothing kept a program from interrupting itself, and counts from being lost.
          architecture.equals(Optional.of(Architecture.X86_64))
              ? since(5, 12, "programs on trampolines may interrupt themselves")
              : Optional.of("not every kernel of this architecture has it");
      case KPROBE_MULTI -> features.missing(Feature.KPROBE_MULTI);
      case FENTRY_SYSCALL ->
          // Hardly a kernel has only one of both, and to try would have the types read first.
          kprobes.isPresent()
              ? reasonAgainst(Mechanism.FENTRY)
              : Optional.of("a kernel without kprobes is not asked for trampolines");
      case RAW_SYSCALLS ->
          architecture.filter(known -> !known.systemCallArguments().isEmpty()).isPresent()
              ? Optional.empty()
              : Optional.of("the system calls of this architecture are unknown");
      case RAW_TRACEPOINT ->
          // Before, nothing kept a program from interrupting itself, and counts from being lost.
          since(6, 1, "programs on raw tracepoints may interrupt themselves");
      case KPROBE, KPROBE_EVENTS, TRACEPOINT, DIRECT -> Optional.empty();
    };
  }

  /**
   * Asks for a kprobe within the first instruction, which the kernel refuses without making one;
   * what for tells the rest. Whether a name is unique it knows from a table of its own, where
   * reading all of /proc/kallsyms would take a fifth of a second.
   */
  @Override
  public boolean isProbeable(String function, KernelSymbols symbols) {
    if (kprobes.isEmpty()) {
      return AttachFeatures.super.isProbeable(function, symbols);
    }
    KernelLocation within = new KernelLocation.Symbol(Optional.empty(), function, 1);
    try {
      SystemCalls.openPerfEvent(
              kprobes.get().attr(within, false),
              CpuSet.online().number(0),
              "kprobe:" + within.text())
          .close();
      return true;
    } catch (KernelException e) {
      return switch (e.errno()) {
        case EILSEQ -> true;
        case EACCES, EPERM -> AttachFeatures.super.isProbeable(function, symbols);
        default -> false;
      };
    }
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
  public OptionalInt systemCall(String name) {
    return architecture.isPresent()
        ? SystemCallTable.number(architecture.get(), name)
        : OptionalInt.empty();
  }

  /**
   * On x86-64, 32-bit programs have system calls of their own. A thread that is in one of these has
   * TS_COMPAT set in the status of its thread_info, the first member of its task_struct; before
   * status stand one word of flags, and since Linux 5.11 another.
   */
  @Override
  public Optional<ForeignCalls> foreignCalls() {
    return architecture.equals(Optional.of(Architecture.X86_64))
        ? Optional.of(new ForeignCalls(version.get().isAtLeast(5, 11) ? 16 : 8, TS_COMPAT))
        : Optional.empty();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The helpers for it came with Linux 5.11 and 5.15. They know the structures by the kernel's
   * own BTF; on other architectures it is not tried.
   */
  @Override
  public boolean loadsThread() {
    return architecture.equals(Optional.of(Architecture.X86_64))
        && version.get().isAtLeast(5, 15)
        && Files.exists(BTF);
  }
}
