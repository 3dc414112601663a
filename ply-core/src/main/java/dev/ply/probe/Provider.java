package dev.ply.probe;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.Optional;

/**
 * A kind of probe: the keyword of its definitions, and what its clauses can read. In the order of
 * precedence for abbreviated keywords.
 */
public enum Provider {
  /** A kernel instruction, usually a function's entry. */
  KPROBE("kprobe", Offer.ARGUMENTS, Offer.REGISTERS, Offer.PROBED_ADDRESS, Offer.PROCESS),
  /** The return from a kernel function. */
  KRETPROBE("kretprobe", Offer.RETURN_VALUE, Offer.REGISTERS, Offer.PROCESS),
  /** The entry of a kernel function, typed by BTF. */
  FENTRY("fentry", Offer.ARGUMENTS, Offer.NAMED_ARGUMENTS, Offer.KERNEL_OBJECTS, Offer.PROCESS),
  /** The exit of a kernel function, typed by BTF. */
  FEXIT(
      "fexit",
      Offer.ARGUMENTS,
      Offer.NAMED_ARGUMENTS,
      Offer.KERNEL_OBJECTS,
      Offer.RETURN_VALUE,
      Offer.PROCESS),
  /** An instruction of a program or library, usually a function's entry. */
  UPROBE("uprobe", Offer.ARGUMENTS, Offer.REGISTERS, Offer.PROCESS, Offer.BINARY),
  /** The return from a function of a program or library. */
  URETPROBE("uretprobe", Offer.RETURN_VALUE, Offer.REGISTERS, Offer.PROCESS, Offer.BINARY),
  /** A USDT probe of a program or library. */
  USDT("usdt", Offer.ARGUMENTS, Offer.REGISTERS, Offer.PROCESS, Offer.BINARY),
  /** A tracepoint with its record. */
  TRACEPOINT("tracepoint", Offer.RECORD, Offer.PROCESS),
  /** A tracepoint with the arguments of the kernel's trace call. */
  RAW_TRACEPOINT(
      "rawtracepoint", Offer.ARGUMENTS, Offer.NAMED_ARGUMENTS, Offer.KERNEL_OBJECTS, Offer.PROCESS),
  /** A timer on every CPU. */
  PROFILE("profile", Offer.REGISTERS, Offer.PROCESS),
  /** A timer on one CPU. */
  INTERVAL("interval"),
  /** An overflow of a kernel counter. */
  SOFTWARE("software", Offer.REGISTERS, Offer.PROCESS),
  /** An overflow of a hardware counter. */
  HARDWARE("hardware", Offer.REGISTERS, Offer.PROCESS),
  /** An access to watched memory. */
  WATCHPOINT("watchpoint", Offer.PROCESS),
  /** Each of the kernel's objects of a kind, once. */
  ITERATOR("iter", Offer.NAMED_ARGUMENTS, Offer.KERNEL_OBJECTS),
  /** Before anything is attached. */
  BEGIN("BEGIN"),
  /** After everything is detached. */
  END("END"),
  /** An event of the tracer's own. */
  SELF("self"),
  /** A test of a script. */
  TEST("test"),
  /** A benchmark of a script. */
  BENCH("bench");

  /** What the clauses of some probes can read. */
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

  /** bpftrace's abbreviations that are no prefix of a keyword, and other names. */
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

  private final String keyword;
  private final ImmutableSet<Offer> offers;

  Provider(String keyword, Offer... offers) {
    this.keyword = keyword;
    this.offers = ImmutableSet.copyOf(offers);
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

  /** {@return whether the probes are in user space, whose registers and addresses clauses see} */
  public boolean isInUserSpace() {
    return switch (this) {
      case UPROBE, URETPROBE, USDT -> true;
      case KPROBE,
          KRETPROBE,
          FENTRY,
          FEXIT,
          TRACEPOINT,
          RAW_TRACEPOINT,
          PROFILE,
          INTERVAL,
          SOFTWARE,
          HARDWARE,
          WATCHPOINT,
          ITERATOR,
          BEGIN,
          END,
          SELF,
          TEST,
          BENCH ->
          false;
    };
  }

  /** {@return whether the probes fire so rarely that each event may wake the reader} */
  public boolean isRare() {
    return switch (this) {
      case BEGIN, END, INTERVAL, SELF, TEST -> true;
      case KPROBE,
          KRETPROBE,
          FENTRY,
          FEXIT,
          UPROBE,
          URETPROBE,
          USDT,
          TRACEPOINT,
          RAW_TRACEPOINT,
          PROFILE,
          SOFTWARE,
          HARDWARE,
          WATCHPOINT,
          ITERATOR,
          BENCH ->
          false;
    };
  }
}
