package dev.ply.target;

import dev.ply.probe.Provider;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The ways to attach programs that a kernel offers beyond those that all kernels have. */
public interface AttachFeatures {
  /** The ways that all kernels have. */
  AttachFeatures NONE =
      new AttachFeatures() {
        @Override
        public Optional<String> reasonAgainst(Mechanism mechanism) {
          return switch (mechanism) {
            case KPROBE, KPROBE_EVENTS, TRACEPOINT, DIRECT -> Optional.empty();
            case FENTRY, KPROBE_MULTI, FENTRY_SYSCALL, RAW_SYSCALLS, RAW_TRACEPOINT ->
                Optional.of("this machine does not offer it");
          };
        }

        @Override
        public boolean hasCookies(Mechanism mechanism) {
          return false;
        }

        @Override
        public OptionalInt systemCall(String name) {
          return OptionalInt.empty();
        }
      };

  /**
   * {@return why a mechanism is unavailable, as the end of a sentence; empty if it is available}
   * The first query may take a syscall.
   *
   * @param mechanism other than direct runs
   */
  Optional<String> reasonAgainst(Mechanism mechanism);

  /**
   * {@return why no probe of a provider can be attached on this machine, as a sentence without full
   * stop; empty if they can, or this process cannot tell}
   *
   * @param provider of probes
   */
  default Optional<String> lacking(Provider provider) {
    return Optional.empty();
  }

  /**
   * {@return whether attachments can carry a cookie, a number that the program reads}
   *
   * @param mechanism other than direct runs
   */
  boolean hasCookies(Mechanism mechanism);

  /**
   * {@return a syscall number}
   *
   * @param name as in its tracepoints: {@code openat} of {@code sys_enter_openat}
   */
  OptionalInt systemCall(String name);

  /**
   * {@return whether a kprobe can be on the function of this name: it is unique and not on the
   * kprobe blacklist} True where unknown.
   *
   * @param function without module
   * @param symbols the machine's symbols, used where there is no faster answer
   */
  default boolean isProbeable(String function, KernelSymbols symbols) {
    return symbols.named(function).size() <= 1;
  }

  /**
   * {@return whether the kernel certainly has no function of this name}
   *
   * @param function without module
   * @param symbols the machine's symbols, used where there is no faster answer
   * @throws UnreadableTargetException if they cannot be read
   */
  default boolean isMissing(String function, KernelSymbols symbols) {
    return symbols.missing(Set.of(function)).contains(function);
  }

  /**
   * {@return whether several functions of the kernel have this name, so that each is probed by its
   * address}
   *
   * @param function without module
   * @param symbols the machine's symbols, used where there is no faster answer
   * @throws UnreadableTargetException if they cannot be read
   */
  default boolean isShared(String function, KernelSymbols symbols) {
    return symbols.addresses(function).size() > 1 && symbols.named(function).size() > 1;
  }

  /**
   * {@return the word of the task that flags a compat syscall, which has numbers of its own (32-bit
   * programs)} Empty if it has none.
   */
  default Optional<ForeignCalls> foreignCalls() {
    return Optional.empty();
  }

  /**
   * {@return whether programs can load from the current task, and from the user registers saved on
   * its stack; otherwise they copy what they need}
   */
  default boolean loadsThread() {
    return false;
  }

  /**
   * {@return whether programs of all kinds can add entries to maps that are allocated entry by
   * entry} The kernel has an allocator for them since Linux 6.1.
   */
  default boolean allocatesEntries() {
    return false;
  }

  /**
   * A 32-bit word of struct task_struct.
   *
   * @param offset bytes from the structure's start
   * @param mask bits of which one is set during such syscalls
   */
  record ForeignCalls(int offset, int mask) {}
}
