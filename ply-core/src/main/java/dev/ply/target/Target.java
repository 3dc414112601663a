package dev.ply.target;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The facts of a machine that a script is compiled for. Compiling twice with the same facts gives
 * the same bytes.
 *
 * <p>{@code ply-kernel} reads them from the running kernel, {@code ply-bpf} has a fixed set for
 * simulation. Implementations are thread-safe and read lazily: what is not asked for costs nothing.
 */
public interface Target {
  /** Returns the processor architecture. */
  Architecture architecture();

  /** Returns the tracepoints there are. */
  TracepointCatalog tracepoints();

  /** Returns the functions that can be probed. */
  FunctionCatalog functions();

  /** Returns the kernel's functions. */
  KernelSymbols symbols();

  /** Returns the types of the kernel. */
  default KernelTypes types() {
    return KernelTypes.NONE;
  }

  /**
   * Returns the value of a constant of the kernel: an enumerator that BTF has, else one of its
   * headers as of {@link HeaderConstants}.
   */
  default OptionalLong constant(String name) {
    OptionalLong enumerator = types().enumerator(name);
    return enumerator.isPresent() ? enumerator : HeaderConstants.value(name);
  }

  /** Returns what there is to attach programs with. */
  default AttachFeatures attachFeatures() {
    return AttachFeatures.NONE;
  }

  /** Returns the programs and libraries. */
  default BinaryCatalog binaries() {
    return BinaryCatalog.NONE;
  }

  /** Returns the functions of processes, for one trace: whoever asks for them closes them. */
  default UserSymbols userSymbols() {
    return UserSymbols.NONE;
  }

  /** Returns the clock that tells the time of day; counts from boot where there is no other. */
  default WallClock wallClock() {
    return WallClock.SINCE_BOOT;
  }

  /** Returns whether programs can change memory and have the old value in one step: Linux 5.12. */
  default boolean fetchesAtomically() {
    return false;
  }

  /**
   * Returns whether the kernel's helper fills a thread's name up with NULs; Linux 6.0 and 6.1 leave
   * what stood there before.
   */
  default boolean padsThreadNames() {
    return false;
  }

  /**
   * Returns how many slots a value must have for each processor to find its own by number, a power
   * of two, where that number takes a program less than the helper of a per-CPU map. Empty where it
   * does not.
   */
  default OptionalInt processorSlots() {
    return OptionalInt.empty();
  }

  /**
   * Returns how many bytes from the start of its {@code task_struct} a thread's name is, for
   * programs to load it from there: 16 bytes, aligned to 8, filled up with NULs by whoever sets the
   * name. Empty where that is not so, or not known.
   */
  default OptionalInt threadNameOffset() {
    return OptionalInt.empty();
  }
}
