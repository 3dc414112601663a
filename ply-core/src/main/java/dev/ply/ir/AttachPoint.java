package dev.ply.ir;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Where a clause runs. */
public sealed interface AttachPoint {
  /** Returns the definition as scripts write it, provider in full: {@code kprobe:vfs_read}. */
  String definition();

  /** An instruction of the kernel, as a rule the entry of a function. */
  record Kprobe(KernelSelector place) implements AttachPoint {
    /** The entry of the function of that name. */
    public Kprobe(String function) {
      this(new KernelSelector.Function(function));
    }

    @Override
    public String definition() {
      return "kprobe:" + place.text();
    }
  }

  /**
   * The return from a kernel function.
   *
   * @param maxActive how many calls of the function may be under way at once and yet all be seen to
   *     return, 1 to {@value #MOST_ACTIVE}; empty for as many as the kernel thinks right
   */
  record Kretprobe(KernelSelector.Entry place, OptionalInt maxActive) implements AttachPoint {
    /** The kernel's limit (KRETPROBE_MAXACTIVE_MAX of kernel/trace/trace_kprobe.c). */
    public static final int MOST_ACTIVE = 4096;

    public Kretprobe {
      if (maxActive.isPresent()
          && (maxActive.getAsInt() < 1 || maxActive.getAsInt() > MOST_ACTIVE)) {
        throw new InvalidSelectorException(
            "a kretprobe follows 1 to " + MOST_ACTIVE + " calls, not " + maxActive.getAsInt(),
            "write kretprobe:" + place.text() + ":64, say");
      }
    }

    /** The return from a function, of as many calls at once as the kernel thinks right. */
    public Kretprobe(KernelSelector.Entry place) {
      this(place, OptionalInt.empty());
    }

    /** The return from the function of that name. */
    public Kretprobe(String function) {
      this(new KernelSelector.Function(function));
    }

    /**
     * Reads a place and the number of calls as scripts write them: {@code vfs_read}, {@code
     * vfs_read:64}.
     *
     * @throws InvalidSelectorException if the text names none
     */
    public static Kretprobe parse(String text) {
      return SelectorParser.kretprobe(text);
    }

    @Override
    public String definition() {
      return "kretprobe:"
          + place.text()
          + (maxActive.isPresent() ? ":" + maxActive.getAsInt() : "");
    }
  }

  /**
   * The entry of a kernel function whose types are known, with arguments by name.
   *
   * @param place no address
   */
  record Fentry(KernelSelector.Entry place) implements AttachPoint {
    public Fentry {
      requireName(place);
    }

    @Override
    public String definition() {
      return "fentry:" + place.text();
    }
  }

  /**
   * The return from a kernel function whose types are known, with its arguments and result.
   *
   * @param place no address
   */
  record Fexit(KernelSelector.Entry place) implements AttachPoint {
    public Fexit {
      requireName(place);
    }

    @Override
    public String definition() {
      return "fexit:" + place.text();
    }
  }

  /** Types are known of functions by their names. */
  private static void requireName(KernelSelector.Entry place) {
    if (place instanceof KernelSelector.Address) {
      throw new InvalidSelectorException(
          "the types of what is at " + place.text() + " are unknown",
          "name the function, or write kprobe:" + place.text());
    }
  }

  /** Returns the function whose types are known there, empty if there is no such. */
  static Optional<KernelSelector.Function> typedFunction(AttachPoint point) {
    if (point instanceof Fentry entry
        && entry.place() instanceof KernelSelector.Function function) {
      return Optional.of(function);
    }
    return point instanceof Fexit exit && exit.place() instanceof KernelSelector.Function function
        ? Optional.of(function)
        : Optional.empty();
  }

  /** A static tracepoint, or several. */
  record Tracepoint(TracepointSelector place) implements AttachPoint {
    /** The tracepoint of that name. */
    public Tracepoint(String category, String event) {
      this(new TracepointSelector.Event(category, event));
    }

    @Override
    public String definition() {
      return "tracepoint:" + place.text();
    }
  }

  /**
   * A tracepoint without a record: the program sees the arguments of the kernel's own call. Some
   * have no other.
   *
   * @param event its bare name, no pattern: {@code sched_switch}
   */
  record RawTracepoint(String event) implements AttachPoint {
    public RawTracepoint {
      if (!event.matches("[A-Za-z0-9_]+")) {
        throw new InvalidSelectorException(
            "\"" + event + "\" is not the name of a raw tracepoint",
            "name the event without its category, as in rawtracepoint:sched_switch");
      }
    }

    @Override
    public String definition() {
      return "rawtracepoint:" + event;
    }
  }

  /** An instruction of a program or library, as a rule the entry of a function. */
  record Uprobe(UserSelector place) implements AttachPoint {
    @Override
    public String definition() {
      return "uprobe:" + place.text();
    }
  }

  /** The return from a function of a program or library. */
  record Uretprobe(UserSelector.Entry place) implements AttachPoint {
    @Override
    public String definition() {
      return "uretprobe:" + place.text();
    }
  }

  /** Where a program's authors have marked it for tracing. */
  record Usdt(UsdtSelector place) implements AttachPoint {
    @Override
    public String definition() {
      return "usdt:" + place.text();
    }
  }

  /**
   * Tells whether a program sees the registers of user code, and its addresses are user space's.
   */
  default boolean isInUserSpace() {
    return this instanceof Uprobe || this instanceof Uretprobe || this instanceof Usdt;
  }

  /** Once, before anything else runs. */
  record Begin() implements AttachPoint {
    @Override
    public String definition() {
      return "BEGIN";
    }
  }

  /** Once, after everything else has stopped. */
  record End() implements AttachPoint {
    @Override
    public String definition() {
      return "END";
    }
  }

  /** A definition that was not understood, and was complained about. */
  record Unknown(String definition) implements AttachPoint {}

  /** On every CPU, each time the kernel has counted so many of something. */
  record Software(PerfPeriod event) implements AttachPoint {
    public Software {
      require(event, PerfCounter.Source.SOFTWARE);
    }

    @Override
    public String definition() {
      return "software:" + event.text();
    }
  }

  /** On every CPU, each time it has counted so many of something. */
  record Hardware(PerfPeriod event) implements AttachPoint {
    public Hardware {
      require(event, PerfCounter.Source.HARDWARE);
    }

    @Override
    public String definition() {
      return "hardware:" + event.text();
    }
  }

  private static void require(PerfPeriod event, PerfCounter.Source source) {
    if (event.counter().source() != source) {
      throw new IllegalArgumentException(
          event.counter().text() + " is counted by " + event.counter().source());
    }
  }

  /** At regular times, on one CPU. */
  record Interval(Duration period) implements AttachPoint {
    @Override
    public String definition() {
      TimeUnits time = TimeUnits.of(period);
      return "interval:" + time.amount() + time.unit();
    }
  }

  /**
   * At regular times, on every CPU that is online or on one.
   *
   * @param cpu the only CPU, empty for all
   */
  record Profile(OptionalInt cpu, SamplingRate rate) implements AttachPoint {
    public Profile {
      if (cpu.isPresent() && cpu.getAsInt() < 0) {
        throw new IllegalArgumentException("CPUs are counted from 0, " + cpu + " is none");
      }
    }

    @Override
    public String definition() {
      return "profile:" + (cpu.isPresent() ? cpu.getAsInt() + ":" : "") + rate.text();
    }
  }
}
