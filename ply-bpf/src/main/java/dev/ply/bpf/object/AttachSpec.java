package dev.ply.bpf.object;

import dev.ply.probe.PerfPeriod;
import dev.ply.probe.SamplingRate;
import dev.ply.probe.TracerProbe;
import dev.ply.selector.WatchSelector;
import dev.ply.target.UserLocation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The specification of an attachment to probe sites: a variant for each of its interfaces.
 * Independent of the script and the machine it was compiled on.
 */
public sealed interface AttachSpec {
  /** {@return the probe sites: one, or all that share a link} */
  List<AttachSite> sites();

  /** {@return the type to load the program with} */
  ProgramType programType();

  /** {@return the BTF type to bind the program to at load time, if any} */
  default Optional<BtfBinding> binding() {
    return Optional.empty();
  }

  /** {@return whether the sites are returns of functions} */
  default boolean isReturn() {
    return false;
  }

  /**
   * {@return the cookie of site {@code index}; 0 for none}
   *
   * @param index counted from 0
   */
  default long cookie(int index) {
    return 0;
  }

  /**
   * Calls the visitor's method for this variant.
   *
   * @param visitor the operation, with a method for each kind
   */
  <R> R accept(Visitor<R> visitor);

  /** An operation with one case per variant. */
  interface Visitor<R> {
    /** Handles a tracepoint with its record. */
    R visit(Tracepoint spec);

    /** Handles a raw tracepoint. */
    R visit(RawTracepoint spec);

    /** Handles a kprobe or kretprobe. */
    R visit(Kprobe spec);

    /** Handles a kprobe.multi link. */
    R visit(KprobeMulti spec);

    /** Handles a trampoline at a function's entry or exit. */
    R visit(Trampoline spec);

    /** Handles a uprobe or uretprobe. */
    R visit(Uprobe spec);

    /** Handles a timer. */
    R visit(PerfTimer spec);

    /** Handles a counter. */
    R visit(CounterOverflow spec);

    /** Handles a watchpoint. */
    R visit(Watchpoint spec);

    /** Handles an iterator. */
    R visit(Iterator spec);

    /** Handles sys_enter or sys_exit. */
    R visit(AllSyscalls spec);

    /** Handles a test run. */
    R visit(TestRun spec);
  }

  /**
   * A function, or the type of a tracepoint's probes, in BTF.
   *
   * @param id the BTF type id
   * @param module the module whose BTF contains it; empty for vmlinux
   */
  record BtfBinding(int id, Optional<String> module) {}

  /** A spec of a single site. */
  sealed interface SingleSite extends AttachSpec {
    /** {@return the site} */
    AttachSite site();

    @Override
    default List<AttachSite> sites() {
      return List.of(site());
    }
  }

  /**
   * A tracepoint through a perf event. A cookie requires Linux 5.15.
   *
   * @param category the directory of tracefs
   * @param event in the category
   * @param cookie read by the program; 0 for none
   */
  record Tracepoint(AttachSite site, String category, String event, long cookie)
      implements SingleSite {
    @Override
    public ProgramType programType() {
      return ProgramType.TRACEPOINT;
    }

    @Override
    public long cookie(int index) {
      return cookie;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A raw tracepoint. A cookie requires Linux 6.10.
   *
   * @param event the bare name, {@code sched_switch}
   * @param cookie read by the program; 0 for none
   * @param binding the type of its probes, for programs that hand objects of the kernel on
   */
  record RawTracepoint(AttachSite site, String event, long cookie, Optional<BtfBinding> binding)
      implements SingleSite {
    /**
     * A raw tracepoint whose program sees numbers.
     *
     * @param event the bare name, {@code sched_switch}
     * @param cookie read by the program; 0 for none
     */
    public RawTracepoint(AttachSite site, String event, long cookie) {
      this(site, event, cookie, Optional.empty());
    }

    @Override
    public ProgramType programType() {
      return binding.isPresent() ? ProgramType.TYPED_TRACEPOINT : ProgramType.RAW_TRACEPOINT;
    }

    @Override
    public long cookie(int index) {
      return cookie;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The kernel's interfaces for kprobes. */
  enum KprobeInterface {
    /** A perf event of the kprobe PMU; kprobe_events without such a PMU. */
    PERF,
    /** kprobe_events in tracefs. */
    TRACEFS
  }

  /**
   * A kprobe or kretprobe. A cookie requires Linux 5.15.
   *
   * @param location the instruction, or the function whose return is probed
   * @param isReturn whether it is a kretprobe of the function at {@code location}
   * @param by the kernel's interface
   * @param maxActive a kretprobe's maxactive, for {@link KprobeInterface#TRACEFS} only; empty for
   *     the kernel's default
   * @param cookie read by the program; 0 for none
   */
  record Kprobe(
      AttachSite site,
      KernelLocation location,
      boolean isReturn,
      KprobeInterface by,
      OptionalInt maxActive,
      long cookie)
      implements SingleSite {
    /**
     * Checks maxactive.
     *
     * @throws IllegalArgumentException if another interface or probe has one
     */
    public Kprobe {
      if (maxActive.isPresent() && (!isReturn || by != KprobeInterface.TRACEFS)) {
        throw new IllegalArgumentException("only a kretprobe of kprobe_events takes maxactive");
      }
    }

    /** {@return the probe as other tools name it: {@code kretprobe:vfs_read}} */
    public String description() {
      return (isReturn ? "kretprobe:" : "kprobe:") + location.text();
    }

    @Override
    public ProgramType programType() {
      return ProgramType.KPROBE;
    }

    @Override
    public long cookie(int index) {
      return cookie;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The entries or returns of many functions: a kprobe.multi link. Requires Linux 5.18 and
   * CONFIG_FPROBE.
   *
   * @param sites one for each function
   * @param functions the symbols, one for each site; if the kernel refuses one, it refuses all
   * @param isReturn whether they are returns
   * @param cookies one for each site, or none
   */
  record KprobeMulti(
      List<AttachSite> sites, List<String> functions, boolean isReturn, List<Long> cookies)
      implements AttachSpec {
    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if they are not of one length
     */
    public KprobeMulti {
      sites = List.copyOf(sites);
      functions = List.copyOf(functions);
      cookies = List.copyOf(cookies);
      if (functions.size() != sites.size()
          || (!cookies.isEmpty() && cookies.size() != sites.size())) {
        throw new IllegalArgumentException(
            functions.size()
                + " functions, "
                + cookies.size()
                + " cookies, "
                + sites.size()
                + " sites");
      }
    }

    @Override
    public ProgramType programType() {
      return ProgramType.KPROBE;
    }

    @Override
    public long cookie(int index) {
      return cookies.isEmpty() ? 0 : cookies.get(index);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A trampoline at the entry or exit of a function: fentry, fexit.
   *
   * @param function bound when the program is loaded
   * @param isReturn whether it is the exit
   */
  record Trampoline(AttachSite site, BtfBinding function, boolean isReturn) implements SingleSite {
    @Override
    public ProgramType programType() {
      return isReturn ? ProgramType.FEXIT : ProgramType.FENTRY;
    }

    @Override
    public Optional<BtfBinding> binding() {
      return Optional.of(function);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A uprobe or uretprobe; a USDT probe too, whose semaphore it increments.
   *
   * @param locations at least one: a process can map a function from several files
   * @param isReturn whether it is a uretprobe of the functions at {@code locations}
   */
  record Uprobe(AttachSite site, List<UserLocation> locations, boolean isReturn)
      implements SingleSite {
    /** Copies the locations. */
    public Uprobe {
      locations = List.copyOf(locations);
    }

    @Override
    public ProgramType programType() {
      return ProgramType.KPROBE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A spec of a perf event that runs the program when it overflows. */
  sealed interface PerfEvent extends SingleSite {
    @Override
    default ProgramType programType() {
      return ProgramType.PERF_EVENT;
    }
  }

  /** The CPUs of a timer. */
  sealed interface Cpus {
    /** All online CPUs. */
    record Online() implements Cpus {}

    /** Any one CPU. */
    record Any() implements Cpus {}

    /**
     * A certain CPU.
     *
     * @param number counted from 0
     */
    record One(int number) implements Cpus {}
  }

  /**
   * A timer: a perf event of the CPU clock.
   *
   * @param cpus all that are online, or one
   * @param rate how often it fires
   */
  record PerfTimer(AttachSite site, Cpus cpus, SamplingRate rate) implements PerfEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A counter: a perf event that overflows after each period, on every online CPU.
   *
   * @param event the counter and its period
   */
  record CounterOverflow(AttachSite site, PerfPeriod event) implements PerfEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A watchpoint: a breakpoint of the processor, on every online CPU.
   *
   * @param address in the kernel or in user space
   * @param length bytes
   * @param access that fires
   */
  record Watchpoint(AttachSite site, long address, int length, WatchSelector.Access access)
      implements PerfEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An iterator over the kernel's objects: runs once for each. Requires Linux 5.8.
   *
   * @param function the iterator's entry in BTF
   */
  record Iterator(AttachSite site, BtfBinding function) implements SingleSite {
    @Override
    public ProgramType programType() {
      return ProgramType.ITERATOR;
    }

    @Override
    public Optional<BtfBinding> binding() {
      return Optional.of(function);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * sys_enter or sys_exit, the raw tracepoints of all syscalls; the program checks the number.
   *
   * @param sites one for each system call
   * @param event {@code sys_enter}, {@code sys_exit}
   * @param binding the type of its probes, where programs can load from the registers
   */
  record AllSyscalls(List<AttachSite> sites, String event, Optional<BtfBinding> binding)
      implements AttachSpec {
    /** Copies the sites. */
    public AllSyscalls {
      sites = List.copyOf(sites);
    }

    @Override
    public ProgramType programType() {
      return binding.isPresent() ? ProgramType.TYPED_TRACEPOINT : ProgramType.RAW_TRACEPOINT;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A run by BPF_PROG_TEST_RUN.
   *
   * @param point what causes it
   */
  record TestRun(AttachSite site, TracerProbe point) implements SingleSite {
    @Override
    public ProgramType programType() {
      return ProgramType.RAW_TRACEPOINT;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
