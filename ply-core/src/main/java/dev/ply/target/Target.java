package dev.ply.target;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The facts about a machine that a script is compiled for. Compiling twice with the same facts
 * yields the same bytes.
 *
 * <p>{@code ply-kernel} reads them from the running kernel, {@code ply-bpf} has a fixed set for
 * simulation. Implementations are thread-safe and lazy: facts that are not queried cost nothing.
 */
public interface Target {
  /** Returns the CPU architecture. */
  Architecture architecture();

  /** Returns the tracepoints. */
  TracepointCatalog tracepoints();

  /** Returns the probeable functions. */
  FunctionCatalog functions();

  /** Returns the kernel's symbols. */
  KernelSymbols symbols();

  /** Returns the kernel's types. */
  default KernelTypes types() {
    return KernelTypes.NONE;
  }

  /** Returns a kernel constant: an enumerator of BTF, or a macro of {@link HeaderConstants}. */
  default OptionalLong constant(String name) {
    OptionalLong enumerator = types().enumerator(name);
    return enumerator.isPresent() ? enumerator : HeaderConstants.value(name);
  }

  /** Returns the available ways to attach programs. */
  default AttachFeatures attachFeatures() {
    return AttachFeatures.NONE;
  }

  /** Returns the machine's programs and libraries. */
  default BinaryCatalog binaries() {
    return BinaryCatalog.NONE;
  }

  /** Returns the symbols of processes, for one trace; the caller closes it. */
  default UserSymbols userSymbols() {
    return UserSymbols.NONE;
  }

  /** Returns the clock for the time of day; counts from boot where unknown. */
  default WallClock wallClock() {
    return WallClock.SINCE_BOOT;
  }

  /** Returns the number of possible CPUs. */
  default int cpus() {
    return 1;
  }

  /** Returns the cgroups. */
  default Cgroups cgroups() {
    return Cgroups.NONE;
  }

  /**
   * Returns the PID namespace of the tracer, which is that of {@code pid} and {@code tid}; empty if
   * it is the initial one.
   */
  default Optional<PidNamespace> pidNamespace() {
    return Optional.empty();
  }

  /** Returns whether programs have atomic operations that fetch the old value (Linux 5.12). */
  default boolean fetchesAtomically() {
    return false;
  }

  /** Returns whether programs can iterate over maps (Linux 5.13, with BTF). */
  default boolean iteratesOverMaps() {
    return false;
  }

  /** Returns whether a helper repeats a function of a program (Linux 5.17). */
  default boolean hasLoopHelper() {
    return false;
  }

  /**
   * Returns whether the kernel's helper pads a thread's name with NULs; Linux 6.0 and 6.1 leave the
   * bytes after the first NUL.
   */
  default boolean padsThreadNames() {
    return false;
  }

  /**
   * Returns the number of slots, a power of two, for one slot per CPU number, where the CPU number
   * costs a program less than a per-CPU map's helper; otherwise empty.
   */
  default OptionalInt processorSlots() {
    return OptionalInt.empty();
  }

  /**
   * Returns the offset in {@code task_struct} of the thread's name, for direct loads: 16 bytes,
   * aligned to 8, padded with NULs. Empty where unknown or not padded.
   */
  default OptionalInt threadNameOffset() {
    return OptionalInt.empty();
  }
}
