package dev.ply.kernel.attach;

import dev.ply.ir.AttachPoint;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.PerfPeriod;
import dev.ply.ir.SamplingRate;
import dev.ply.ir.TracepointSelector;
import dev.ply.kernel.CpuSet;
import dev.ply.kernel.Errno;
import dev.ply.kernel.KernelException;
import dev.ply.kernel.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.tracefs.StaleEvents;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.target.UserLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Attaches programs, choosing the mechanism that this kernel has. What it returns does not run
 * before {@link Attachment#enable}, and belongs to the caller.
 */
public final class Attacher {
  private final Supplier<Tracefs> tracefs;
  private final Optional<KprobeUnit> kprobes;
  private final AtomicBoolean cleaned = new AtomicBoolean();
  private final Optional<UprobeUnit> uprobes;

  /** Reads what mechanisms there are; tracefs is asked for only if nothing else helps. */
  public Attacher(Supplier<Tracefs> tracefs) {
    this(tracefs, KprobeUnit.ofThisKernel(), UprobeUnit.ofThisKernel());
  }

  Attacher(Supplier<Tracefs> tracefs, Optional<KprobeUnit> kprobes) {
    this(tracefs, kprobes, UprobeUnit.ofThisKernel());
  }

  Attacher(Supplier<Tracefs> tracefs, Optional<KprobeUnit> kprobes, Optional<UprobeUnit> uprobes) {
    this.uprobes = uprobes;
    this.tracefs = tracefs;
    this.kprobes = kprobes;
  }

  /**
   * Attaches to a tracepoint; the program, of type {@code TRACEPOINT}, sees its record.
   *
   * @param id the number by which perf_event_open(2) knows it
   * @throws dev.ply.kernel.KernelException if the kernel refuses
   */
  public Attachment tracepoint(TracepointSelector.Event event, int id, LoadedProgram program) {
    return tracepoint(event, id, program, 0);
  }

  /**
   * Attaches to a tracepoint.
   *
   * @param cookie what the program shall see, needs kernel 5.15; 0 for nothing
   * @see #tracepoint(TracepointSelector.Event, int, LoadedProgram)
   */
  public Attachment tracepoint(
      TracepointSelector.Event event, int id, LoadedProgram program, long cookie) {
    String description = "tracepoint:" + event.text();
    return PerfEvent.open(description, PerfEventAttr.tracepoint(id), program, cookie);
  }

  /**
   * Attaches to a tracepoint by its bare event name; the program, of type {@code RAW_TRACEPOINT},
   * sees the kernel's own arguments.
   */
  public Attachment rawTracepoint(String event, LoadedProgram program) {
    return rawTracepoint(event, program, 0);
  }

  /**
   * Attaches to a tracepoint by its bare event name.
   *
   * @param cookie what the program shall see, needs kernel 6.10; 0 for nothing
   * @see #rawTracepoint(String, LoadedProgram)
   */
  public Attachment rawTracepoint(String event, LoadedProgram program, long cookie) {
    return new TracingLink(
        "raw tracepoint " + event,
        () -> BpfAttr.rawTracepoint(event, program.descriptor(), cookie));
  }

  /**
   * Attaches to the entries of many functions, or to the returns from them; the program, of type
   * {@code KPROBE}, sees the registers. Needs kernel 5.18 and CONFIG_FPROBE.
   *
   * @param functions their names; if the kernel cannot attach to one of them, it does to none
   * @param cookies what the program shall see at each of them; empty for nothing
   */
  public Attachment kprobeMulti(
      List<String> functions, List<Integer> cookies, boolean atReturn, LoadedProgram program) {
    return new KprobeMulti(functions, cookies, atReturn, program);
  }

  /**
   * Attaches to what the program, of type {@code TRACING}, was bound to when it was loaded: the
   * entry or exit of a function, whose arguments and result it sees, or a raw tracepoint.
   *
   * @param description the place, for messages
   */
  public Attachment bound(String description, LoadedProgram program) {
    return new TracingLink(description, () -> BpfAttr.bound(program.descriptor()));
  }

  /** Returns an attacher that makes kprobes by writing to tracefs, whatever else there is. */
  public Attacher byTracefs() {
    return new Attacher(tracefs, Optional.empty());
  }

  /**
   * Attaches to an instruction; the program, of type {@code KPROBE}, sees the registers.
   *
   * @param place no pattern; an offset must lead to the start of an instruction
   * @throws dev.ply.kernel.KernelException if the kernel refuses: {@code ENOENT} for an unknown
   *     function, {@code EINVAL} for one that must not be probed, {@code EADDRNOTAVAIL} for a name
   *     that several functions have, {@code EILSEQ} within an instruction
   * @throws dev.ply.target.UnreadableTargetException if the kernel has no kprobes
   */
  public Attachment kprobe(KernelSelector place, LoadedProgram program) {
    return kprobe(place, program, 0);
  }

  /**
   * Attaches to an instruction.
   *
   * @param cookie what the program shall see, needs kernel 5.15; 0 for nothing
   * @see #kprobe(KernelSelector, LoadedProgram)
   */
  public Attachment kprobe(KernelSelector place, LoadedProgram program, long cookie) {
    return kprobe(KprobeLocation.of(place, false), program, cookie);
  }

  /**
   * Attaches to a function's return, otherwise like {@link #kprobe(KernelSelector, LoadedProgram)}.
   */
  public Attachment kretprobe(KernelSelector.Entry place, LoadedProgram program) {
    return kretprobe(place, program, 0);
  }

  /**
   * Attaches to a function's return.
   *
   * @param cookie what the program shall see, needs kernel 5.15; 0 for nothing
   * @see #kretprobe(KernelSelector.Entry, LoadedProgram)
   */
  public Attachment kretprobe(KernelSelector.Entry place, LoadedProgram program, long cookie) {
    return kprobe(KprobeLocation.of(place, true), program, cookie);
  }

  /**
   * Attaches to a function's return, by writing to tracefs: nothing else takes the number.
   *
   * @param maxActive how many calls at once are followed, 1 to 4096
   * @see #kretprobe(KernelSelector.Entry, LoadedProgram, long)
   */
  public Attachment kretprobe(
      KernelSelector.Entry place, int maxActive, LoadedProgram program, long cookie) {
    return kprobeByTracefs(
        KprobeLocation.of(place, true), OptionalInt.of(maxActive), program, cookie);
  }

  /**
   * Attaches to an instruction of programs or libraries; the program, of type {@code KPROBE}, sees
   * the registers.
   *
   * @param places at least one
   * @throws dev.ply.kernel.KernelException if the kernel refuses, at the latest when it is enabled:
   *     {@code EIO} or {@code EINVAL} for what is no instruction that it knows
   * @throws dev.ply.target.UnreadableTargetException if the kernel has no uprobes
   */
  public Attachment uprobe(List<UserLocation> places, LoadedProgram program) {
    return joint(places.stream().map(at -> new UprobeLocation(at, false)).toList(), program);
  }

  /**
   * Attaches to the return from a function, otherwise like {@link #uprobe(List, LoadedProgram)}.
   */
  public Attachment uretprobe(List<UserLocation> places, LoadedProgram program) {
    return joint(places.stream().map(at -> new UprobeLocation(at, true)).toList(), program);
  }

  private Attachment joint(List<UprobeLocation> places, LoadedProgram program) {
    List<Attachment> parts = new ArrayList<>();
    try {
      places.forEach(place -> parts.add(uprobe(place, program)));
    } catch (RuntimeException e) {
      parts.forEach(Attachment::close);
      throw e;
    }
    return parts.size() == 1 ? parts.get(0) : new JointAttachment(parts);
  }

  private Attachment uprobe(UprobeLocation place, LoadedProgram program) {
    return uprobes.isPresent()
        ? PerfEvent.open(
            place + " (perf)", uprobes.get().attr(place), place.place().process(), program)
        : TracefsUprobe.open(cleaned(), place, program);
  }

  /**
   * Attaches to a timer on one CPU; the program, of type {@code PERF_EVENT}, runs each {@code
   * period} from enabling on.
   *
   * @throws dev.ply.kernel.KernelException if the kernel refuses
   */
  public Attachment interval(Duration period, LoadedProgram program) {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("a timer needs a positive period, not " + period);
    }
    String description = "interval of " + period.toNanos() + " ns";
    return PerfEvent.open(description, PerfEventAttr.timer(period.toNanos()), program);
  }

  /**
   * Attaches to a timer on every CPU that is online, or on one; the program, of type {@code
   * PERF_EVENT}, runs from enabling on.
   *
   * @throws dev.ply.kernel.KernelException if the kernel refuses: {@code EINVAL} for more samples a
   *     second than its limit, {@code ENODEV} or {@code EINVAL} for a CPU that is not online
   */
  public Attachment profile(AttachPoint.Profile point, LoadedProgram program) {
    PerfEventAttr attr =
        point.rate() instanceof SamplingRate.Hertz hertz
            ? PerfEventAttr.sampler(hertz.frequency())
            : PerfEventAttr.timer(point.rate().period().toNanos());
    return point.cpu().isPresent()
        ? PerfEvent.open(point.definition(), attr, point.cpu().getAsInt(), program)
        : PerCpuEvents.open(point.definition(), attr, CpuSet.online(), program);
  }

  /**
   * Attaches to a counter on every CPU that is online; the program, of type {@code PERF_EVENT},
   * runs from enabling on.
   *
   * @throws dev.ply.kernel.KernelException if the kernel refuses: {@code ENOENT} or {@code
   *     EOPNOTSUPP} where the machine does not count that
   */
  public Attachment counter(String description, PerfPeriod event, LoadedProgram program) {
    PerfEventAttr attr = PerfEventAttr.counter(event.counter(), event.period());
    return PerCpuEvents.open(description, attr, CpuSet.online(), program);
  }

  private Attachment kprobe(KprobeLocation place, LoadedProgram program, long cookie) {
    return kprobes.isPresent()
        ? PerfEvent.open(place + " (perf)", kprobes.get().attr(place), program, cookie)
        : kprobeByTracefs(place, OptionalInt.empty(), program, cookie);
  }

  private Attachment kprobeByTracefs(
      KprobeLocation place, OptionalInt maxActive, LoadedProgram program, long cookie) {
    try {
      return TracefsKprobe.open(cleaned(), place, maxActive, program, cookie);
    } catch (KernelException e) {
      throw e.errno() == Errno.EINVAL ? refusal(place).orElse(e) : e;
    }
  }

  /**
   * Asks for a probe by the kernel's unit for them: tracefs has one error number for all faults.
   */
  private static Optional<KernelException> refusal(KprobeLocation place) {
    Optional<KprobeUnit> unit = KprobeUnit.ofThisKernel();
    if (unit.isEmpty()) {
      return Optional.empty();
    }
    try {
      SystemCalls.openPerfEvent(unit.get().attr(place), CpuSet.online().number(0), place.toString())
          .close();
      return Optional.empty();
    } catch (KernelException e) {
      return Optional.of(e);
    }
  }

  /** Returns tracefs without what killed processes of ours left there. */
  private Tracefs cleaned() {
    Tracefs found = tracefs.get();
    if (!cleaned.getAndSet(true)) {
      List<String> unused = StaleEvents.remove(found);
    }
    return found;
  }
}
