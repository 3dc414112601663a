package dev.ply.probe;

import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.RawTracepointSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.WatchSelector;
import java.util.List;
import java.util.Optional;

/**
 * An attach point: where a clause runs, as the script defines it. Each kind belongs to a {@link
 * Provider}, which determines what clauses can read; kinds that are resolved and attached alike
 * share an interface.
 */
public sealed interface AttachPoint
    permits KernelProbe,
        UserProbe,
        TimerProbe,
        CounterProbe,
        TracerProbe,
        OffCpuProbe,
        AttachPoint.Tracepoint,
        AttachPoint.RawTracepoint,
        AttachPoint.Usdt,
        AttachPoint.Watchpoint,
        AttachPoint.Iterator,
        AttachPoint.AnyKind,
        AttachPoint.Unknown {
  /** {@return the definition as scripts write it, provider in full: {@code kprobe:vfs_read}} */
  String definition();

  /** {@return the kind of probe; empty for a definition that could not be parsed} */
  Optional<Provider> provider();

  /**
   * Calls the visitor's method for this kind of point.
   *
   * @param visitor the operation, with a method for each kind
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
    return provider().filter(kind -> kind.site().isInUserSpace()).isPresent();
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

  /** An operation with one case per kind of attach point. */
  interface Visitor<R> {
    /** Handles a probe in the kernel's code. */
    R visit(KernelProbe point);

    /** Handles a probe in user code. */
    R visit(UserProbe point);

    /** Handles a USDT probe. */
    R visit(Usdt point);

    /** Handles a tracepoint. */
    R visit(Tracepoint point);

    /** Handles a raw tracepoint. */
    R visit(RawTracepoint point);

    /** Handles a timer. */
    R visit(TimerProbe point);

    /** Handles a counter. */
    R visit(CounterProbe point);

    /** Handles a watchpoint. */
    R visit(Watchpoint point);

    /** Handles an iterator. */
    R visit(Iterator point);

    /** Handles a thread that runs again. */
    R visit(OffCpuProbe point);

    /** Handles a probe that the tracer runs itself. */
    R visit(TracerProbe point);

    /** Handles a pattern of the kind of probe. */
    R visit(AnyKind point);

    /** Handles an unparsed definition. */
    R visit(Unknown point);
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
     * @throws InvalidSelectorException if it is not a bare event name
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
     * @throws InvalidSelectorException if it is not a bare name
     */
    public Iterator {
      if (objects.contains(":")) {
        throw new InvalidSelectorException(
            "pinned iterators are not supported: nobody would print their output",
            "write iter:" + objects.substring(0, objects.indexOf(':')));
      }
      if (!objects.matches("[A-Za-z0-9_]+")) {
        throw new InvalidSelectorException(
            "unknown kind of objects \"" + objects + "\"", "write iter:task, for example");
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

  /**
   * A definition whose kind of probe is a pattern, {@code *point:sched:sched_switch}: all of its
   * points that exist.
   *
   * @param definition as the script has it
   * @param points one of each kind whose definitions have this form
   */
  record AnyKind(String definition, List<AttachPoint> points) implements AttachPoint {
    /** Copies the list. */
    public AnyKind {
      points = List.copyOf(points);
    }

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
}
