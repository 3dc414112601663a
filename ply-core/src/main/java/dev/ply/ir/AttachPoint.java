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
  /** {@return the definition as scripts write it, provider in full: {@code kprobe:vfs_read}} */
  String definition();

  /** {@return the kind of probe; empty for a definition that could not be parsed} */
  Optional<Provider> provider();

  /**
   * Calls the visitor's method for this kind of point.
   *
   * @param <R> what the operation returns
   * @param visitor the operation, with a method for each kind
   * @return what the operation returns
   */
  <R> R accept(Visitor<R> visitor);

  /**
   * {@return whether clauses can read {@code what} at this probe} An unparsed definition offers
   * everything, so that no follow-up errors are reported.
   *
   * @param what what a clause reads, such as arguments
   */
  default boolean offers(Provider.Offer what) {
    return provider().isEmpty() || provider().get().offers(what);
  }

  /** {@return whether programs see the registers and addresses of user space} */
  default boolean isInUserSpace() {
    return provider().isPresent() && provider().get().isInUserSpace();
  }

  /** {@return the program or library that is probed, as {@link UserSelector#binary} does} */
  default Optional<String> binary() {
    return Optional.empty();
  }

  /** {@return the probed function if its types are known from BTF} */
  default Optional<KernelSelector.Function> typedFunction() {
    return Optional.empty();
  }

  /** {@return a string that identifies the probe site, usually the definition} */
  default String identity() {
    return definition();
  }

  private static String definition(AttachPoint point, String site) {
    return point.provider().map(Provider::keyword).orElse("") + ":" + site;
  }

  /**
   * An operation with one case per kind of attach point.
   *
   * @param <R> what the operation returns
   */
  interface Visitor<R> {
    /**
     * Handles a probe in the kernel's code.
     *
     * @param point the probe in the kernel's code
     * @return the result of the operation
     */
    R visit(KernelCode point);

    /**
     * Handles a probe in user code.
     *
     * @param point the probe in user code
     * @return the result of the operation
     */
    R visit(UserCode point);

    /**
     * Handles a USDT probe.
     *
     * @param point the USDT probe
     * @return the result of the operation
     */
    R visit(Usdt point);

    /**
     * Handles a tracepoint.
     *
     * @param point the tracepoint
     * @return the result of the operation
     */
    R visit(Tracepoint point);

    /**
     * Handles a raw tracepoint.
     *
     * @param point the raw tracepoint
     * @return the result of the operation
     */
    R visit(RawTracepoint point);

    /**
     * Handles a timer.
     *
     * @param point the timer
     * @return the result of the operation
     */
    R visit(Timer point);

    /**
     * Handles a counter.
     *
     * @param point the counter
     * @return the result of the operation
     */
    R visit(Counter point);

    /**
     * Handles a watchpoint.
     *
     * @param point the watchpoint
     * @return the result of the operation
     */
    R visit(Watchpoint point);

    /**
     * Handles an iterator.
     *
     * @param point the iterator
     * @return the result of the operation
     */
    R visit(Iterator point);

    /**
     * Handles a probe that the tracer runs itself.
     *
     * @param point attached nowhere
     * @return the result of the operation
     */
    R visit(Own point);

    /**
     * Handles an unparsed definition.
     *
     * @param point the unparsed definition
     * @return the result of the operation
     */
    R visit(Unknown point);
  }

  /** A probe in kernel code. */
  sealed interface KernelCode extends AttachPoint {
    /** {@return the probed location} */
    KernelSelector place();

    @Override
    default String definition() {
      return AttachPoint.definition(this, place().text());
    }

    /**
     * {@return the same probe on one function}
     *
     * @param function in the kernel's code
     */
    KernelCode on(KernelSelector.Function function);

    /** {@return whether this is a return probe} */
    default boolean isReturn() {
      return offers(Provider.Offer.RETURN_VALUE);
    }

    /** {@return the function whose entry or return is probed; empty for any other site} */
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
    /** {@return the probed location} */
    UserSelector place();

    @Override
    default String definition() {
      return AttachPoint.definition(this, place().text());
    }

    @Override
    default Optional<String> binary() {
      return Optional.of(place().binary());
    }

    /**
     * {@return the same probe at another location}
     *
     * @param place a function's entry, or for a probe that is no return, any location
     */
    UserCode at(UserSelector place);

    /**
     * {@return the same probe on one function}
     *
     * @param function in a program or library
     */
    default UserCode on(UserSelector.Function function) {
      return at(function);
    }

    /** {@return whether this is a return probe} */
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
    /** {@return how often it fires} */
    SamplingRate rate();

    @Override
    default <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A probe that is attached nowhere: the tracer itself runs its clauses. */
  sealed interface Own extends AttachPoint {
    /** {@return whether the probe is run at the start or the end of every trace} */
    default boolean isOfEveryTrace() {
      return false;
    }

    @Override
    default <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A counter that fires on every CPU after each {@code period} events. */
  sealed interface Counter extends AttachPoint {
    /** {@return the counter and its period} */
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

  /**
   * A kernel instruction, usually the entry of a function.
   *
   * @param place the instruction, or the functions that match a pattern
   */
  record Kprobe(KernelSelector place) implements KernelCode {
    /**
     * The entry of the function {@code function}.
     *
     * @param function without module, as in kallsyms
     */
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
   * @param place the function, or those that match a pattern
   * @param maxActive how many concurrent calls can be tracked, 1 to {@value #MOST_ACTIVE}; empty
   *     for the kernel's default
   */
  record Kretprobe(KernelSelector.Entry place, OptionalInt maxActive) implements KernelCode {
    /** The kernel's limit (KRETPROBE_MAXACTIVE_MAX of kernel/trace/trace_kprobe.c). */
    public static final int MOST_ACTIVE = 4096;

    /**
     * Checks maxactive.
     *
     * @param place the function, or those that match a pattern
     * @param maxActive how many concurrent calls can be tracked, 1 to {@value #MOST_ACTIVE}; empty
     *     for the kernel's default
     * @throws InvalidSelectorException if maxactive is out of range
     */
    public Kretprobe {
      if (maxActive.isPresent()
          && (maxActive.getAsInt() < 1 || maxActive.getAsInt() > MOST_ACTIVE)) {
        throw new InvalidSelectorException(
            "a kretprobe follows 1 to " + MOST_ACTIVE + " calls, not " + maxActive.getAsInt(),
            "write kretprobe:" + place.text() + ":64, say");
      }
    }

    /**
     * The return from a function, with the kernel's default maxactive.
     *
     * @param place the function, or those that match a pattern
     */
    public Kretprobe(KernelSelector.Entry place) {
      this(place, OptionalInt.empty());
    }

    /**
     * The return from the function {@code function}.
     *
     * @param function without module, as in kallsyms
     */
    public Kretprobe(String function) {
      this(new KernelSelector.Function(function));
    }

    /**
     * Reads a place and the number of calls as scripts write them: {@code vfs_read}, {@code
     * vfs_read:64}.
     *
     * @param text a location, with maxactive after a colon or without
     * @return the kretprobe
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
    /**
     * Checks that the function is given by name: fentry has no addresses.
     *
     * @param place a function or a pattern, no address
     * @throws InvalidSelectorException if it is given by address
     */
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
    /**
     * Checks that the function is given by name: fexit has no addresses.
     *
     * @param place a function or a pattern, no address
     * @throws InvalidSelectorException if it is given by address
     */
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
    if (place.text().startsWith("bpf:")) {
      throw new InvalidSelectorException(
          "BPF programs cannot be probed yet", "fentry:vfs_read is at a function of the kernel");
    }
    if (place instanceof KernelSelector.Address) {
      throw new InvalidSelectorException(
          "the types of what is at " + place.text() + " are unknown",
          "name the function, or write kprobe:" + place.text());
    }
  }

  /**
   * A static tracepoint, or all that match a pattern.
   *
   * @param place category and event, or patterns of them
   */
  record Tracepoint(TracepointSelector place) implements AttachPoint {
    /**
     * The tracepoint {@code category:event}.
     *
     * @param category the directory of tracefs: {@code sched}
     * @param event in the category: {@code sched_switch}
     */
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
   * @param place the event, or a pattern
   */
  record RawTracepoint(RawTracepointSelector place) implements AttachPoint {
    /**
     * The raw tracepoint of a bare name.
     *
     * @param event no pattern: {@code sched_switch}
     * @throws InvalidSelectorException if it is no bare event name
     */
    public RawTracepoint(String event) {
      this(new RawTracepointSelector.Event(Optional.empty(), event));
    }

    /**
     * {@return the name of the event}
     *
     * @throws IllegalStateException if this is a pattern
     */
    public String event() {
      if (place instanceof RawTracepointSelector.Event event) {
        return event.event();
      }
      throw new IllegalStateException(definition() + " is a pattern");
    }

    @Override
    public String definition() {
      return "rawtracepoint:" + place.text();
    }

    /** An event is the same with its module or without. */
    @Override
    public String identity() {
      return place instanceof RawTracepointSelector.Event event
          ? "rawtracepoint:" + event.event()
          : definition();
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

  /**
   * An instruction of a program or library, usually the entry of a function.
   *
   * @param place the instruction, or the functions that match a pattern
   */
  record Uprobe(UserSelector place) implements UserCode {
    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.UPROBE);
    }

    @Override
    public UserCode at(UserSelector other) {
      return new Uprobe(other);
    }
  }

  /**
   * The return from a function of a program or library.
   *
   * @param place the function, or those that match a pattern
   */
  record Uretprobe(UserSelector.Entry place) implements UserCode {
    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.URETPROBE);
    }

    @Override
    public UserCode at(UserSelector other) {
      return new Uretprobe((UserSelector.Entry) other);
    }
  }

  /**
   * A USDT probe: a static probe of a program or library.
   *
   * @param place the probe, or those that match a pattern
   */
  record Usdt(UsdtSelector place) implements AttachPoint {
    @Override
    public String definition() {
      return "usdt:" + place.text();
    }

    @Override
    public Optional<String> binary() {
      return Optional.of(place.binary());
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

  /**
   * An access to watched memory: a hardware breakpoint on every CPU.
   *
   * @param place the memory and the kind of access
   */
  record Watchpoint(WatchSelector place) implements AttachPoint {
    @Override
    public String definition() {
      return "watchpoint:" + place.text();
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.WATCHPOINT);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Runs for each of the kernel's objects of a kind, once, when everything is attached.
   *
   * @param objects the kind, as the kernel names it: {@code task}, {@code task_vma}
   */
  record Iterator(String objects) implements AttachPoint {
    /** How the kernel names the functions that describe what iterators pass to programs. */
    public static final String TYPES = "bpf_iter_";

    /**
     * Checks the kind of objects.
     *
     * @param objects the kind, as the kernel names it: {@code task}, {@code task_vma}
     * @throws InvalidSelectorException if it is no bare name
     */
    public Iterator {
      if (objects.contains(":")) {
        throw new InvalidSelectorException(
            "an iterator that is pinned has nobody to print what it finds",
            "write iter:" + objects.substring(0, objects.indexOf(':')));
      }
      if (!objects.matches("[A-Za-z0-9_]+")) {
        throw new InvalidSelectorException(
            "\"" + objects + "\" is no kind of objects", "write iter:task, say");
      }
    }

    @Override
    public String definition() {
      return "iter:" + objects;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.ITERATOR);
    }

    /** The function whose parameters are what the program gets. */
    @Override
    public Optional<KernelSelector.Function> typedFunction() {
      return Optional.of(new KernelSelector.Function(TYPES + objects));
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Runs once, before any probe is attached. */
  record Begin() implements Own {
    @Override
    public String definition() {
      return "BEGIN";
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.BEGIN);
    }

    @Override
    public boolean isOfEveryTrace() {
      return true;
    }
  }

  /** Runs once, after all probes are detached. */
  record End() implements Own {
    @Override
    public String definition() {
      return "END";
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.END);
    }

    @Override
    public boolean isOfEveryTrace() {
      return true;
    }
  }

  /** Runs each time the tracer receives SIGUSR1. */
  record UserSignal() implements Own {
    /** The signal's name, without {@code SIG}. */
    public static final String NAME = "USR1";

    /** The rest of the definition. */
    private static final String EVENT = "signal:SIG" + NAME;

    /**
     * Reads the event as scripts write it.
     *
     * @param text {@code signal:SIGUSR1}
     * @return the probe
     * @throws InvalidSelectorException if it is any other event
     */
    public static UserSignal parse(String text) {
      if (!text.equals(EVENT)) {
        throw new InvalidSelectorException(
            "\"" + text + "\" is no event of the tracer's own", "there is self:" + EVENT);
      }
      return new UserSignal();
    }

    @Override
    public String definition() {
      return "self:" + EVENT;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.SELF);
    }
  }

  /**
   * A test of a script.
   *
   * @param name of letters, digits, {@code _}, {@code -} and {@code .}
   */
  record Test(String name) implements Own {
    /**
     * Checks the name.
     *
     * @param name of letters, digits, {@code _}, {@code -} and {@code .}
     * @throws InvalidSelectorException if it is none
     */
    public Test {
      requireOwnName(name, "test");
    }

    @Override
    public String definition() {
      return "test:" + name;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.TEST);
    }
  }

  /**
   * A benchmark of a script: its clauses run many times.
   *
   * @param name of letters, digits, {@code _}, {@code -} and {@code .}
   */
  record Bench(String name) implements Own {
    /**
     * Checks the name.
     *
     * @param name of letters, digits, {@code _}, {@code -} and {@code .}
     * @throws InvalidSelectorException if it is none
     */
    public Bench {
      requireOwnName(name, "bench");
    }

    @Override
    public String definition() {
      return "bench:" + name;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.BENCH);
    }
  }

  private static void requireOwnName(String name, String provider) {
    if (!name.matches("[A-Za-z0-9_.-]+")) {
      throw new InvalidSelectorException(
          "\"" + name + "\" is no name of a " + provider,
          "write " + provider + ":one, say: letters, digits, _, - and .");
    }
  }

  /**
   * A definition that could not be parsed; the error has been reported.
   *
   * @param definition as the script has it
   */
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

  /**
   * An overflow of a kernel counter, on every CPU.
   *
   * @param event the kernel's counter and its period
   */
  record Software(PerfPeriod event) implements Counter {
    /**
     * Checks that the counter is one of the kernel.
     *
     * @param event the kernel's counter and its period
     * @throws IllegalArgumentException if it is a hardware counter
     */
    public Software {
      require(event, PerfCounter.Source.SOFTWARE);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.SOFTWARE);
    }
  }

  /**
   * An overflow of a hardware counter, on every CPU.
   *
   * @param event the counter of the CPU and its period
   */
  record Hardware(PerfPeriod event) implements Counter {
    /**
     * Checks that the counter is one of the CPU.
     *
     * @param event the counter of the CPU and its period
     * @throws IllegalArgumentException if it is a software counter
     */
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

  /**
   * A timer on one CPU.
   *
   * @param period the time between two hits, positive
   */
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
   * @param rate how often a CPU is sampled
   */
  record Profile(OptionalInt cpu, SamplingRate rate) implements Timer {
    /**
     * Checks the number of the CPU.
     *
     * @param cpu the only CPU, empty for all
     * @param rate how often a CPU is sampled
     * @throws IllegalArgumentException if it is negative
     */
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
