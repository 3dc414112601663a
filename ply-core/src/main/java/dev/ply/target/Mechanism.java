package dev.ply.target;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The ways to attach a program, where there is a choice. A script sees the same with each; they
 * differ in cost.
 */
public enum Mechanism {
  /** A trampoline at a function's entry or exit: no breakpoint, no saved registers. */
  FENTRY("fentry"),
  /** One link for many functions, through fprobe (Linux 5.18). */
  KPROBE_MULTI("kprobe-multi"),
  /** A kprobe as a perf event. */
  KPROBE("kprobe"),
  /** A kprobe created through tracefs. */
  KPROBE_EVENTS("kprobe-events"),
  /** A trampoline at the entry of the function that implements a syscall. */
  FENTRY_SYSCALL("fentry-syscall"),
  /** The entry or exit of all syscalls; the program checks the number. */
  RAW_SYSCALLS("raw-syscalls"),
  /** A tracepoint without a record, with the arguments of the kernel's trace call. */
  RAW_TRACEPOINT("raw-tracepoint"),
  /** A tracepoint as a perf event, for which the kernel writes a record. */
  TRACEPOINT("tracepoint"),
  /** The only way to attach such a probe. */
  DIRECT("direct");

  private static final List<Mechanism> CHOICES =
      List.copyOf(EnumSet.complementOf(EnumSet.of(DIRECT)));

  private final String text;

  Mechanism(String text) {
    this.text = text;
  }

  /**
   * {@return the mechanism of this name, {@link #DIRECT} excepted}
   *
   * @param name as options and reports write it
   */
  public static Optional<Mechanism> named(String name) {
    for (Mechanism one : CHOICES) {
      if (one.text.equals(name)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /** {@return the mechanisms that can be chosen} */
  public static List<Mechanism> choices() {
    return CHOICES;
  }

  /** {@return whether this attaches to functions} */
  public boolean isForFunctions() {
    return switch (this) {
      case FENTRY, KPROBE_MULTI, KPROBE, KPROBE_EVENTS -> true;
      case FENTRY_SYSCALL, RAW_SYSCALLS, RAW_TRACEPOINT, TRACEPOINT, DIRECT -> false;
    };
  }

  /** {@return whether this attaches to tracepoints} */
  public boolean isForTracepoints() {
    return switch (this) {
      case FENTRY_SYSCALL, RAW_SYSCALLS, RAW_TRACEPOINT, TRACEPOINT -> true;
      case FENTRY, KPROBE_MULTI, KPROBE, KPROBE_EVENTS, DIRECT -> false;
    };
  }

  /** Returns the name used in options and messages. */
  @Override
  public String toString() {
    return text;
  }
}
