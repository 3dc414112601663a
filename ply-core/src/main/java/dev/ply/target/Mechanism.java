package dev.ply.target;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * How a program can be attached, where there is a choice. What a script sees is the same with each;
 * what it costs is not.
 */
public enum Mechanism {
  /** A trampoline at a function's entry or exit: no breakpoint, no registers saved. */
  FENTRY("fentry"),
  /** One link for many functions, by way of the function tracer. Needs kernel 5.18 and fprobe. */
  KPROBE_MULTI("kprobe-multi"),
  /** A kprobe as a performance event. */
  KPROBE("kprobe"),
  /** A kprobe made by writing to tracefs. */
  KPROBE_EVENTS("kprobe-events"),
  /** A trampoline on the function that implements a system call, at its entry. */
  FENTRY_SYSCALL("fentry-syscall"),
  /** The entry or exit of all system calls, from which a program picks its own. */
  RAW_SYSCALLS("raw-syscalls"),
  /** A tracepoint without a record, with the arguments of the kernel's own call. */
  RAW_TRACEPOINT("raw-tracepoint"),
  /** A tracepoint as a performance event, which has the kernel write its record. */
  TRACEPOINT("tracepoint"),
  /** The only way there is for such a probe. */
  DIRECT("direct");

  private static final List<Mechanism> CHOICES =
      List.copyOf(EnumSet.complementOf(EnumSet.of(DIRECT)));

  private final String text;

  Mechanism(String text) {
    this.text = text;
  }

  /** Returns the mechanism of that name; {@link #DIRECT} has no choice, and so is none. */
  public static Optional<Mechanism> named(String name) {
    for (Mechanism one : CHOICES) {
      if (one.text.equals(name)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /** Returns what can be asked for. */
  public static List<Mechanism> choices() {
    return CHOICES;
  }

  /** Returns whether probes on functions can be attached so. */
  public boolean isForFunctions() {
    return switch (this) {
      case FENTRY, KPROBE_MULTI, KPROBE, KPROBE_EVENTS -> true;
      case FENTRY_SYSCALL, RAW_SYSCALLS, RAW_TRACEPOINT, TRACEPOINT, DIRECT -> false;
    };
  }

  /** Returns whether tracepoints can be attached to so. */
  public boolean isForTracepoints() {
    return switch (this) {
      case FENTRY_SYSCALL, RAW_SYSCALLS, RAW_TRACEPOINT, TRACEPOINT -> true;
      case FENTRY, KPROBE_MULTI, KPROBE, KPROBE_EVENTS, DIRECT -> false;
    };
  }

  /** Returns the name by which it is asked for. */
  @Override
  public String toString() {
    return text;
  }
}
