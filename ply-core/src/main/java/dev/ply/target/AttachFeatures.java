package dev.ply.target;

import java.util.Optional;
import java.util.OptionalInt;

/** What a kernel offers to attach programs with, beyond what every kernel does. */
public interface AttachFeatures {
  /** Only what every kernel offers. */
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
   * Returns why programs cannot be attached so, as the end of a sentence; empty if they can. Asking
   * may take a system call, the first time.
   */
  Optional<String> reasonAgainst(Mechanism mechanism);

  /** Returns whether each attachment can carry a number that its program reads. */
  boolean hasCookies(Mechanism mechanism);

  /**
   * Returns the number of a system call.
   *
   * @param name as its tracepoint calls it: {@code openat} of {@code sys_enter_openat}
   */
  OptionalInt systemCall(String name);

  /**
   * Returns whether a kprobe may stand on the function of that name: it is the only one, and not
   * forbidden. True where that is unknown.
   *
   * @param symbols the machine's functions, for machines that have no quicker answer
   */
  default boolean isProbeable(String function, KernelSymbols symbols) {
    return symbols.named(function).size() <= 1;
  }

  /**
   * Returns where a thread's structure says that it is in a system call of another kind, with
   * numbers of its own: those of 32-bit programs. Empty if there is no other kind.
   */
  default Optional<ForeignCalls> foreignCalls() {
    return Optional.empty();
  }

  /**
   * Returns whether programs can load from the structure of the running thread, and from the
   * registers that it saved when it came from user space; where not, they ask for copies of what
   * they need.
   */
  default boolean loadsThread() {
    return false;
  }

  /**
   * A 32-bit word of the thread's structure (struct task_struct).
   *
   * @param offset bytes from the structure's start
   * @param mask bits of which one is set during such calls
   */
  record ForeignCalls(int offset, int mask) {}
}
