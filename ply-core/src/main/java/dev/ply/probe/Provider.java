package dev.ply.probe;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.ply.selector.Glob;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.RawTracepointSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.WatchSelector;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A kind of probe: the keyword of its definitions, and what its clauses can read. In the order of
 * precedence for abbreviated keywords.
 */
public enum Provider {
  /** A kernel instruction, usually a function's entry. */
  KPROBE(
      "kprobe",
      Site.FUNCTION,
      Set.of(Offer.ARGUMENTS, Offer.REGISTERS, Offer.PROBED_ADDRESS, Offer.PROCESS),
      Trait.LISTED,
      Trait.PATTERN),
  /** The return from a kernel function. */
  KRETPROBE("kretprobe", Site.FUNCTION, Set.of(Offer.RETURN_VALUE, Offer.REGISTERS, Offer.PROCESS)),
  /** The entry of a kernel function, typed by BTF. */
  FENTRY(
      "fentry",
      Site.TYPED_FUNCTION,
      Set.of(Offer.ARGUMENTS, Offer.NAMED_ARGUMENTS, Offer.KERNEL_OBJECTS, Offer.PROCESS),
      Trait.PATTERN),
  /** The exit of a kernel function, typed by BTF. */
  FEXIT(
      "fexit",
      Site.TYPED_FUNCTION,
      Set.of(
          Offer.ARGUMENTS,
          Offer.NAMED_ARGUMENTS,
          Offer.KERNEL_OBJECTS,
          Offer.RETURN_VALUE,
          Offer.PROCESS)),
  /** An instruction of a program or library, usually a function's entry. */
  UPROBE(
      "uprobe",
      Site.USER_FUNCTION,
      Set.of(Offer.ARGUMENTS, Offer.REGISTERS, Offer.PROCESS, Offer.BINARY),
      Trait.PATTERN),
  /** The return from a function of a program or library. */
  URETPROBE(
      "uretprobe",
      Site.USER_FUNCTION,
      Set.of(Offer.RETURN_VALUE, Offer.REGISTERS, Offer.PROCESS, Offer.BINARY)),
  /** A USDT probe of a program or library. */
  USDT(
      "usdt",
      Site.USDT,
      Set.of(Offer.ARGUMENTS, Offer.REGISTERS, Offer.PROCESS, Offer.BINARY),
      Trait.PATTERN),
  /** A tracepoint with its record. */
  TRACEPOINT(
      "tracepoint",
      Site.TRACEPOINT,
      Set.of(Offer.RECORD, Offer.PROCESS),
      Trait.LISTED,
      Trait.PATTERN),
  /** A tracepoint with the arguments of the kernel's trace call. */
  RAW_TRACEPOINT(
      "rawtracepoint",
      Site.RAW_TRACEPOINT,
      Set.of(Offer.ARGUMENTS, Offer.NAMED_ARGUMENTS, Offer.KERNEL_OBJECTS, Offer.PROCESS),
      Trait.PATTERN),
  /** A timer on every CPU. */
  PROFILE("profile", Site.TIMER, Set.of(Offer.REGISTERS, Offer.PROCESS)),
  /** A timer on one CPU. */
  INTERVAL("interval", Site.TIMER, Set.of(), Trait.RARE),
  /** An overflow of a kernel counter. */
  SOFTWARE(
      "software",
      Site.SOFTWARE_COUNTER,
      Set.of(Offer.REGISTERS, Offer.PROCESS),
      Trait.LISTED,
      Trait.PATTERN),
  /** An overflow of a hardware counter. */
  HARDWARE(
      "hardware",
      Site.HARDWARE_COUNTER,
      Set.of(Offer.REGISTERS, Offer.PROCESS),
      Trait.LISTED,
      Trait.PATTERN),
  /** An access to watched memory. */
  WATCHPOINT("watchpoint", Site.MEMORY, Set.of(Offer.PROCESS)),
  /** Each of the kernel's objects of a kind, once. */
  ITERATOR(
      "iter", Site.OBJECTS, Set.of(Offer.NAMED_ARGUMENTS, Offer.KERNEL_OBJECTS), Trait.PATTERN),
  /** A thread that runs again after it was off the CPU. */
  OFFCPU("offcpu", Site.SCHEDULER, Set.of()),
  /** Before anything is attached. */
  BEGIN("BEGIN", Site.TRACER, Set.of(), Trait.RARE),
  /** After everything is detached. */
  END("END", Site.TRACER, Set.of(), Trait.RARE),
  /** An event of the tracer's own. */
  SELF("self", Site.TRACER, Set.of(), Trait.RARE),
  /** A test of a script. */
  TEST("test", Site.TRACER, Set.of(), Trait.RARE),
  /** A benchmark of a script. */
  BENCH("bench", Site.TRACER, Set.of());

  /** The kinds of sites that definitions select. */
  public enum Site {
    /** Functions and other instructions of the kernel. */
    FUNCTION,
    /** Functions of the kernel whose types are in BTF. */
    TYPED_FUNCTION,
    /** Functions and other instructions of programs and libraries. */
    USER_FUNCTION,
    /** USDT probes of programs and libraries. */
    USDT,
    /** Tracepoints, with their category. */
    TRACEPOINT,
    /** Tracepoints, without a category. */
    RAW_TRACEPOINT,
    /** Points in time, which interrupt kernel and user code. */
    TIMER,
    /** Overflows of a counter of the kernel, which interrupt kernel and user code. */
    SOFTWARE_COUNTER,
    /** Overflows of a counter of the CPU, which interrupt kernel and user code. */
    HARDWARE_COUNTER,
    /** Memory. */
    MEMORY,
    /** Kinds of objects of the kernel. */
    OBJECTS,
    /** The scheduler, where it switches between threads. */
    SCHEDULER,
    /** The tracer itself. */
    TRACER;

    /** {@return whether sites are in programs and libraries} */
    public boolean isInUserSpace() {
      return this == USER_FUNCTION || this == USDT;
    }

    /** {@return whether hits are in user mode only, those of the tracer itself too} */
    public boolean isInUserMode() {
      return isInUserSpace() || this == TRACER;
    }

    /** {@return whether a hit may interrupt code of the kernel as well as of processes} */
    public boolean interrupts() {
      return this == TIMER || this == SOFTWARE_COUNTER || this == HARDWARE_COUNTER;
    }

    /** {@return whether scripts define their sites, so that a machine has no list of them} */
    public boolean isDefinedByScripts() {
      return this == TIMER || this == MEMORY || this == TRACER;
    }
  }

  /** Properties of a kind of probe, besides its sites. */
  public enum Trait {
    /** Hits are so rare that each event may wake the reader. */
    RARE,
    /** Lists of all probes of a kernel contain them; other kinds are at the same sites. */
    LISTED,
    /** A pattern in place of the keyword can mean this kind, as in bpftrace: no returns. */
    PATTERN
  }

  /** The context of some probes' clauses. */
  public enum Offer {
    /** {@code arg0}, {@code arg1}, … */
    ARGUMENTS,
    /** {@code args}, typed by BTF. */
    NAMED_ARGUMENTS,
    /** Objects of the kernel whose types its verifier knows. */
    KERNEL_OBJECTS,
    /** {@code retval}. */
    RETURN_VALUE,
    /** {@code regs}, struct pt_regs. */
    REGISTERS,
    /** {@code caller}, the address of the probed instruction. */
    PROBED_ADDRESS,
    /** {@code data}, the record of a tracepoint. */
    RECORD,
    /** The process that hit the probe, which can be signalled. */
    PROCESS,
    /** The program or library that is probed, with its symbols. */
    BINARY
  }

  /** bpftrace's abbreviations that are not a prefix of a keyword, and other names. */
  private static final ImmutableMap<String, Provider> ALIASES =
      ImmutableMap.<String, Provider>builder()
          .put("U", USDT)
          .put("rt", RAW_TRACEPOINT)
          .put("fr", FEXIT)
          .put("aw", WATCHPOINT)
          .put("asyncwatchpoint", WATCHPOINT)
          .put("kfunc", FENTRY)
          .put("kretfunc", FEXIT)
          .buildOrThrow();

  private static final Pattern QUOTED_NAME = Pattern.compile("\"([\\w.]+)\"");

  private final String keyword;
  private final Site site;

  private final ImmutableSet<Offer> offers;
  private final ImmutableSet<Trait> traits;

  Provider(String keyword, Site site, Set<Offer> offers, Trait... traits) {
    this.keyword = keyword;
    this.site = site;
    this.offers = ImmutableSet.copyOf(offers);
    this.traits = ImmutableSet.copyOf(traits);
  }

  /**
   * {@return the provider of this name: an alias, or the first one whose keyword, or other name,
   * starts so}
   *
   * @param start in full or abbreviated
   */
  public static Optional<Provider> named(String start) {
    if (ALIASES.containsKey(start)) {
      return Optional.ofNullable(ALIASES.get(start));
    }
    for (Provider provider : values()) {
      if (provider.keyword.startsWith(start)) {
        return Optional.of(provider);
      }
    }
    return ALIASES.keySet().stream()
        .filter(alias -> alias.startsWith(start))
        .findFirst()
        .map(ALIASES::get);
  }

  /** {@return the keyword of definitions, in full} */
  public String keyword() {
    return keyword;
  }

  /**
   * {@return whether clauses can read {@code what}}
   *
   * @param what what a clause reads, such as arguments
   */
  public boolean offers(Offer what) {
    return offers.contains(what);
  }

  /** {@return what definitions select} */
  public Site site() {
    return site;
  }

  /**
   * {@return whether this kind has a trait}
   *
   * @param trait beyond its sites
   */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /**
   * {@return the kinds that have a trait, in order}
   *
   * @param trait beyond their sites
   */
  public static Set<Provider> with(Trait trait) {
    return Stream.of(values())
        .filter(provider -> provider.has(trait))
        .collect(Sets.toImmutableEnumSet());
  }

  /**
   * {@return the attach point of a definition}
   *
   * @param rest what follows the keyword and its colon
   * @throws InvalidSelectorException if it selects nothing that a probe of this kind can be at
   * @throws UnsupportedOperationException for timers, whose units depend on the language
   */
  public AttachPoint parse(String rest) {
    return switch (this) {
      case KPROBE -> new KernelProbe.Kprobe(KernelSelector.parse(unquoted(rest)));
      case KRETPROBE -> KernelProbe.Kretprobe.parse(unquoted(rest));
      case FENTRY -> new KernelProbe.Fentry(KernelSelector.parseEntry(unquoted(rest)));
      case FEXIT -> new KernelProbe.Fexit(KernelSelector.parseEntry(unquoted(rest)));
      case UPROBE -> new UserProbe.Uprobe(UserSelector.parse(rest));
      case URETPROBE -> new UserProbe.Uretprobe(UserSelector.parseEntry(rest));
      case USDT -> new AttachPoint.Usdt(UsdtSelector.parse(rest));
      case TRACEPOINT -> new AttachPoint.Tracepoint(TracepointSelector.parse(inAnyCategory(rest)));
      case RAW_TRACEPOINT ->
          new AttachPoint.RawTracepoint(RawTracepointSelector.parse(inAnyCategory(rest)));
      case SOFTWARE ->
          new CounterProbe.Software(PerfPeriod.parse(PerfCounter.Source.SOFTWARE, rest));
      case HARDWARE ->
          new CounterProbe.Hardware(PerfPeriod.parse(PerfCounter.Source.HARDWARE, rest));
      case WATCHPOINT -> new AttachPoint.Watchpoint(WatchSelector.parse(rest));
      case ITERATOR -> new AttachPoint.Iterator(rest);
      case OFFCPU -> OffCpuProbe.parse(rest);
      case BEGIN -> new TracerProbe.Begin();
      case END -> new TracerProbe.End();
      case SELF -> TracerProbe.UserSignal.parse(rest);
      case TEST -> new TracerProbe.Test(rest);
      case BENCH -> new TracerProbe.Bench(rest);
      case PROFILE, INTERVAL ->
          throw new UnsupportedOperationException("the units of timers depend on the language");
    };
  }

  /** Names of the kernel's functions need no quotes, and may have them. */
  private static String unquoted(String place) {
    return QUOTED_NAME.matcher(place).replaceAll("$1");
  }

  /** A tracepoint's event alone, as a pattern, is that of any category. */
  private static String inAnyCategory(String place) {
    return Glob.isGlob(place) && !place.contains(":") && !place.contains("/")
        ? "*:" + place
        : place;
  }
}
