package dev.ply.target;

import dev.ply.machine.Architecture;
import dev.ply.machine.SystemCallNames;
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
  /** The start of the names that headers have for the numbers of system calls. */
  String SYSTEM_CALL = "__NR_";

  /** {@return the CPU architecture} */
  Architecture architecture();

  /** {@return the tracepoints} */
  TracepointCatalog tracepoints();

  /** {@return the probeable functions} */
  FunctionCatalog functions();

  /** {@return the kernel's symbols} */
  KernelSymbols symbols();

  /** {@return the kernel's types} */
  default KernelTypes types() {
    return KernelTypes.NONE;
  }

  /**
   * {@return a kernel constant: an enumerator of BTF, the number of a system call ({@code
   * __NR_read}), or a macro of {@link HeaderConstants}}
   *
   * @param name of any form
   */
  default OptionalLong constant(String name) {
    OptionalLong enumerator = types().enumerator(name);
    if (enumerator.isPresent()) {
      return enumerator;
    }
    return name.startsWith(SYSTEM_CALL)
        ? SystemCallNames.number(architecture(), name.substring(SYSTEM_CALL.length()))
        : HeaderConstants.value(name);
  }

  /** {@return the available ways to attach programs} */
  default AttachFeatures attachFeatures() {
    return AttachFeatures.NONE;
  }

  /** {@return the machine's programs and libraries} */
  default BinaryCatalog binaries() {
    return BinaryCatalog.NONE;
  }

  /** {@return the symbols of processes, for one trace; the caller closes it} */
  default UserSymbols userSymbols() {
    return UserSymbols.NONE;
  }

  /**
   * {@return the name of a user by ID, in the initial user namespace; empty if it has none}
   *
   * @param id the UID
   */
  default Optional<String> userName(long id) {
    return Optional.empty();
  }

  /**
   * {@return the current name of a thread by ID; empty if missing}
   *
   * @param id the process or thread ID
   */
  default Optional<String> threadName(long id) {
    return Optional.empty();
  }

  /** {@return the clock for the time of day; counts from boot where unknown} */
  default WallClock wallClock() {
    return WallClock.SINCE_BOOT;
  }

  /** {@return the number of possible CPUs} */
  default int cpus() {
    return 1;
  }

  /** {@return the cgroups} */
  default Cgroups cgroups() {
    return Cgroups.NONE;
  }

  /**
   * {@return the PID namespace of the tracer, which is that of {@code pid} and {@code tid}; empty
   * if it is the initial one}
   */
  default Optional<PidNamespace> pidNamespace() {
    return Optional.empty();
  }

  /** {@return whether programs have atomic operations that fetch the old value (Linux 5.12)} */
  default boolean fetchesAtomically() {
    return false;
  }

  /** {@return whether programs can iterate over maps (Linux 5.13, with BTF)} */
  default boolean iteratesOverMaps() {
    return false;
  }

  /** {@return the maximum size in bytes of a map's keys: since Linux 5.11 as of values} */
  default int longestKey() {
    return 512;
  }

  /** {@return whether a helper repeats a function of a program (Linux 5.17)} */
  default boolean hasLoopHelper() {
    return false;
  }

  /**
   * {@return whether the kernel's helper pads a thread's name with NULs; Linux 6.0 and 6.1 leave
   * the bytes after the first NUL}
   */
  default boolean padsThreadNames() {
    return false;
  }

  /**
   * {@return the number of slots, a power of two, for one slot per CPU number, where the CPU number
   * costs a program less than a per-CPU map's helper; otherwise empty}
   */
  default OptionalInt processorSlots() {
    return OptionalInt.empty();
  }

  /**
   * {@return the offset in {@code task_struct} of the thread's name, for direct loads: 16 bytes,
   * aligned to 8, padded with NULs} Empty where unknown or not padded.
   */
  default OptionalInt threadNameOffset() {
    return OptionalInt.empty();
  }
}
