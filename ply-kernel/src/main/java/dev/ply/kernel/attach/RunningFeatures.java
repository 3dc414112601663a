package dev.ply.kernel.attach;

import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.KernelException;
import dev.ply.kernel.LoadedProgram;
import dev.ply.target.Architecture;
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelVersion;
import dev.ply.target.Mechanism;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * What the running kernel offers to attach programs with. What a version number tells is not tried;
 * what depends on how the kernel was built is, once. Thread-safe.
 */
public final class RunningFeatures implements AttachFeatures {
  private static final int TS_COMPAT = 2;

  private final Supplier<KernelVersion> version;
  private final Optional<Architecture> architecture;
  private Optional<String> againstMulti = Optional.empty();
  private boolean triedMulti;

  /** The features of a kernel of that version, this process's own. */
  public RunningFeatures(Supplier<KernelVersion> version, Optional<Architecture> architecture) {
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
      case KPROBE_MULTI -> againstMulti();
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

  /** Trampolines and links have to prove themselves on request first. */
  @Override
  public boolean isChosen(Mechanism mechanism) {
    return mechanism != Mechanism.FENTRY && mechanism != Mechanism.KPROBE_MULTI;
  }

  private Optional<String> since(int major, int minor, String before) {
    return version.get().isAtLeast(major, minor)
        ? Optional.empty()
        : Optional.of("before Linux " + major + "." + minor + " " + before);
  }

  private synchronized Optional<String> againstMulti() {
    if (!version.get().isAtLeast(5, 18)) {
      return Optional.of("it needs Linux 5.18");
    }
    if (!triedMulti) {
      againstMulti = tryMulti();
      triedMulti = true;
    }
    return againstMulti;
  }

  /** Asks for a link to a function that there is not: a kernel that knows such links says so. */
  private static Optional<String> tryMulti() {
    try (LoadedProgram program =
            LoadedProgram.load(
                "probe", ProgramType.KPROBE, AttachTarget.KPROBE_MULTI, ReturnZero.code());
        KprobeMulti link =
            new KprobeMulti(List.of("no function has such a name"), List.of(), false, program)) {
      link.enable();
      return Optional.empty();
    } catch (KernelException e) {
      return switch (e.errno()) {
        case ESRCH, ENOENT -> Optional.empty();
        default -> Optional.of("this kernel lacks it (CONFIG_FPROBE)");
      };
    }
  }

  @Override
  public boolean hasCookies(Mechanism mechanism) {
    return switch (mechanism) {
      case KPROBE, TRACEPOINT -> version.get().isAtLeast(5, 15);
      case KPROBE_MULTI -> version.get().isAtLeast(5, 18);
      case RAW_TRACEPOINT -> version.get().isAtLeast(6, 10);
      case FENTRY -> version.get().isAtLeast(6, 0);
      case KPROBE_EVENTS, RAW_SYSCALLS, DIRECT -> false;
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
}
