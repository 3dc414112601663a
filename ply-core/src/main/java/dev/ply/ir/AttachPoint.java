package dev.ply.ir;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An attach point: where a clause runs, as the script defines it. Each kind belongs to a {@link
 * Provider}, which determines what clauses can read; kinds that are resolved and attached alike
 * share an interface.
 */
public sealed interface AttachPoint {
  /** Returns the definition as scripts write it, provider in full: {@code kprobe:vfs_read}. */
  String definition();

  /** Returns the kind of probe; empty for a definition that could not be parsed. */
  Optional<Provider> provider();

  /** Calls the visitor's method for this kind of point. */
  <R> R accept(Visitor<R> visitor);

  /**
   * Returns whether clauses can read {@code what} at this probe. An unparsed definition offers
   * everything, so that no follow-up errors are reported.
   */
  default boolean offers(Provider.Offer what) {
    return provider().isEmpty() || provider().get().offers(what);
  }

  /** Returns whether programs see the registers and addresses of user space. */
  default boolean isInUserSpace() {
    return provider().isPresent() && provider().get().isInUserSpace();
  }

  /** Returns the probed function if its types are known from BTF. */
  default Optional<KernelSelector.Function> typedFunction() {
    return Optional.empty();
  }

  /** Returns a string that identifies the probe site, usually the definition. */
  default String identity() {
    return definition();
  }

  private static String definition(AttachPoint point, String site) {
    return point.provider().map(Provider::keyword).orElse("") + ":" + site;
  }

  /** An operation with one case per kind of attach point. */
  interface Visitor<R> {
    /** Handles a probe in the kernel's code. */
    R visit(KernelCode point);

    /** Handles a probe in user code. */
    R visit(UserCode point);

    /** Handles a USDT probe. */
    R visit(Usdt point);

    /** Handles a tracepoint. */
    R visit(Tracepoint point);

    /** Handles a raw tracepoint. */
    R visit(RawTracepoint point);

    /** Handles a timer. */
    R visit(Timer point);

    /** Handles a counter. */
    R visit(Counter point);

    /** Handles BEGIN. */
    R visit(Begin point);

    /** Handles END. */
    R visit(End point);

    /** Handles an unparsed definition. */
    R visit(Unknown point);
  }

  /** A probe in kernel code. */
  sealed interface KernelCode extends AttachPoint {
    /** Returns the probed location. */
    KernelSelector place();

    @Override
    default String definition() {
      return AttachPoint.definition(this, place().text());
    }

    /** Returns the same probe on one function. */
    KernelCode on(KernelSelector.Function function);

    /** Returns whether this is a return probe. */
    default boolean isReturn() {
      return offers(Provider.Offer.RETURN_VALUE);
    }

    /** Returns the function whose entry or return is probed; empty for any other site. */
    default Optional<KernelSelector.Function> function() {
      return place() instanceof KernelSelector.Function function
          ? Optional.of(function)
          : Optional.empty();
    }

    @Override
    default Optional<KernelSelector.Function> typedFunction() {
      return function().filter(typed -> offers(Provider.Offer.NAMED_ARGUMENTS));
    }

    @Override
    default <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A probe in the code of a program or library. */
  sealed interface UserCode extends AttachPoint {
    /** Returns the probed location. */
    UserSelector place();

    @Override
    default String definition() {
      return AttachPoint.definition(this, place().text());
    }

    /** Returns the same probe on one function. */
    UserCode on(UserSelector.Function function);

    /** Returns whether this is a return probe. */
    default boolean isReturn() {
      return offers(Provider.Offer.RETURN_VALUE);
    }

    @Override
    default <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A timer. */
  sealed interface Timer extends AttachPoint {
    /** Returns how often it fires. */
    SamplingRate rate();

    @Override
    default <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A counter that fires on every CPU after each {@code period} events. */
  sealed interface Counter extends AttachPoint {
    /** Returns the counter and its period. */
    PerfPeriod event();

    @Override
    default String definition() {
      return AttachPoint.definition(this, event().text());
    }

    @Override
    default <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A kernel instruction, usually the entry of a function. */
  record Kprobe(KernelSelector place) implements KernelCode {
    /** The entry of the function {@code function}. */
    public Kprobe(String function) {
      this(new KernelSelector.Function(function));
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.KPROBE);
    }

    @Override
    public KernelCode on(KernelSelector.Function function) {
      return new Kprobe(function);
    }
  }

  /**
   * The return from a kernel function.
   *
   * @param maxActive how many concurrent calls can be tracked, 1 to {@value #MOST_ACTIVE}; empty
   *     for the kernel's default
   */
  record Kretprobe(KernelSelector.Entry place, OptionalInt maxActive) implements KernelCode {
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

    /** The return from a function, with the kernel's default maxactive. */
    public Kretprobe(KernelSelector.Entry place) {
      this(place, OptionalInt.empty());
    }

    /** The return from the function {@code function}. */
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
      String definition = KernelCode.super.definition();
      return maxActive.isPresent() ? definition + ":" + maxActive.getAsInt() : definition;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.KRETPROBE);
    }

    @Override
    public KernelCode on(KernelSelector.Function function) {
      return new Kretprobe(function, maxActive);
    }
  }

  /**
   * The entry of a kernel function with types in BTF; arguments are available by name.
   *
   * @param place a function or a pattern, no address
   */
  record Fentry(KernelSelector.Entry place) implements KernelCode {
    public Fentry {
      requireName(place);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.FENTRY);
    }

    @Override
    public KernelCode on(KernelSelector.Function function) {
      return new Fentry(function);
    }
  }

  /**
   * The return from a kernel function with types in BTF; arguments and result are available.
   *
   * @param place a function or a pattern, no address
   */
  record Fexit(KernelSelector.Entry place) implements KernelCode {
    public Fexit {
      requireName(place);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.FEXIT);
    }

    @Override
    public KernelCode on(KernelSelector.Function function) {
      return new Fexit(function);
    }
  }

  /** BTF has types of functions by name, not by address. */
  private static void requireName(KernelSelector.Entry place) {
    if (place instanceof KernelSelector.Address) {
      throw new InvalidSelectorException(
          "the types of what is at " + place.text() + " are unknown",
          "name the function, or write kprobe:" + place.text());
    }
  }

  /** A static tracepoint, or all that match a pattern. */
  record Tracepoint(TracepointSelector place) implements AttachPoint {
    /** The tracepoint {@code category:event}. */
    public Tracepoint(String category, String event) {
      this(new TracepointSelector.Event(category, event));
    }

    @Override
    public String definition() {
      return "tracepoint:" + place.text();
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.TRACEPOINT);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A raw tracepoint: the program receives the arguments of the kernel's trace call instead of a
   * record. Some tracepoints exist only in this form.
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

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.RAW_TRACEPOINT);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** An instruction of a program or library, usually the entry of a function. */
  record Uprobe(UserSelector place) implements UserCode {
    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.UPROBE);
    }

    @Override
    public UserCode on(UserSelector.Function function) {
      return new Uprobe(function);
    }
  }

  /** The return from a function of a program or library. */
  record Uretprobe(UserSelector.Entry place) implements UserCode {
    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.URETPROBE);
    }

    @Override
    public UserCode on(UserSelector.Function function) {
      return new Uretprobe(function);
    }
  }

  /** A USDT probe: a static probe of a program or library. */
  record Usdt(UsdtSelector place) implements AttachPoint {
    @Override
    public String definition() {
      return "usdt:" + place.text();
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.USDT);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    /** Inlining can put a USDT probe at several addresses of one binary. */
    @Override
    public String identity() {
      return place instanceof UsdtSelector.Location location
          ? definition() + " " + location.address()
          : definition();
    }
  }

  /** Runs once, before any probe is attached. */
  record Begin() implements AttachPoint {
    @Override
    public String definition() {
      return "BEGIN";
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.BEGIN);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Runs once, after all probes are detached. */
  record End() implements AttachPoint {
    @Override
    public String definition() {
      return "END";
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.END);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A definition that could not be parsed; the error has been reported. */
  record Unknown(String definition) implements AttachPoint {
    @Override
    public Optional<Provider> provider() {
      return Optional.empty();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** An overflow of a kernel counter, on every CPU. */
  record Software(PerfPeriod event) implements Counter {
    public Software {
      require(event, PerfCounter.Source.SOFTWARE);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.SOFTWARE);
    }
  }

  /** An overflow of a hardware counter, on every CPU. */
  record Hardware(PerfPeriod event) implements Counter {
    public Hardware {
      require(event, PerfCounter.Source.HARDWARE);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.HARDWARE);
    }
  }

  private static void require(PerfPeriod event, PerfCounter.Source source) {
    if (event.counter().source() != source) {
      throw new IllegalArgumentException(
          event.counter().text() + " is counted by " + event.counter().source());
    }
  }

  /** A timer on one CPU. */
  record Interval(Duration period) implements Timer {
    @Override
    public String definition() {
      TimeUnits time = TimeUnits.of(period);
      return "interval:" + time.amount() + time.unit();
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.INTERVAL);
    }

    @Override
    public SamplingRate rate() {
      return new SamplingRate.Every(period);
    }
  }

  /**
   * A timer on every online CPU, or on one.
   *
   * @param cpu the only CPU, empty for all
   */
  record Profile(OptionalInt cpu, SamplingRate rate) implements Timer {
    public Profile {
      if (cpu.isPresent() && cpu.getAsInt() < 0) {
        throw new IllegalArgumentException("CPUs are counted from 0, " + cpu + " is none");
      }
    }

    @Override
    public String definition() {
      return "profile:" + (cpu.isPresent() ? cpu.getAsInt() + ":" : "") + rate.text();
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.PROFILE);
    }
  }
}
