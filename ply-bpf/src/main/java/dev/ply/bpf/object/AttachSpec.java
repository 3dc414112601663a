package dev.ply.bpf.object;

import dev.ply.ir.PerfPeriod;
import dev.ply.ir.SamplingRate;
import dev.ply.target.UserLocation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the kernel has to be told to run a program at probe sites: one variant for each of its
 * interfaces, with all that this takes. Whoever attaches needs to know neither the script nor the
 * machine it was compiled on.
 */
public sealed interface AttachSpec {
  /** Returns the sites at which this has the program run: one, or where many share a link all. */
  List<AttachSite> sites();

  /** Returns the type that the program has to be loaded with. */
  ProgramType programType();

  /** Returns the BTF type that the program has to be bound to when it is loaded, if to any. */
  default Optional<BtfBinding> binding() {
    return Optional.empty();
  }

  /** Returns the cookie that the program sees at site {@code index}; 0 for none. */
  default long cookie(int index) {
    return 0;
  }

  /** Calls the visitor's method for this variant. */
  <R> R accept(Visitor<R> visitor);

  /** Something to do for each variant. */
  interface Visitor<R> {
    /** Handles a tracepoint with its record. */
    R visit(Tracepoint spec);

    /** Handles a tracepoint with the arguments of the kernel's own call. */
    R visit(RawTracepoint spec);

    /** Handles a kprobe or kretprobe. */
    R visit(Kprobe spec);

    /** Handles a link to many functions. */
    R visit(KprobeMulti spec);

    /** Handles a trampoline at a function's entry or exit. */
    R visit(Trampoline spec);

    /** Handles a uprobe or uretprobe. */
    R visit(Uprobe spec);

    /** Handles a timer. */
    R visit(PerfTimer spec);

    /** Handles a counter. */
    R visit(CounterOverflow spec);

    /** Handles the tracepoint of all system calls. */
    R visit(AllSyscalls spec);

    /** Handles a program that is run on request. */
    R visit(TestRun spec);
  }

  /**
   * A function, or the type of a tracepoint's probes, by BTF.
   *
   * @param id in the type information of the kernel, or of the module
   * @param module the module whose type information has it; empty for the kernel's own
   */
  record BtfBinding(int id, Optional<String> module) {}

  /** What has the program run at one site. */
  sealed interface SingleSite extends AttachSpec {
    /** Returns the site. */
    AttachSite site();

    @Override
    default List<AttachSite> sites() {
      return List.of(site());
    }
  }

  /** A tracepoint by way of a perf event. A cookie needs kernel 5.15. */
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
   * A tracepoint by its bare name, without a record. A cookie needs kernel 6.10.
   *
   * @param event {@code sched_switch}
   */
  record RawTracepoint(AttachSite site, String event, long cookie) implements SingleSite {
    @Override
    public ProgramType programType() {
      return ProgramType.RAW_TRACEPOINT;
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

  /** How the kernel is asked for a kprobe. */
  enum KprobeInterface {
    /** A perf event of the kprobe PMU, or kprobe_events where the kernel has no such PMU. */
    PERF,
    /** A line in kprobe_events. */
    TRACEFS
  }

  /**
   * A breakpoint in the kernel's code. A cookie needs kernel 5.15.
   *
   * @param isReturn whether it is on the return from the function at {@code location}
   * @param maxActive how many concurrent calls a kretprobe follows, which only {@link
   *     KprobeInterface#TRACEFS} takes; empty for the kernel's own choice
   */
  record Kprobe(
      AttachSite site,
      KernelLocation location,
      boolean isReturn,
      KprobeInterface by,
      OptionalInt maxActive,
      long cookie)
      implements SingleSite {
    public Kprobe {
      if (maxActive.isPresent() && (!isReturn || by != KprobeInterface.TRACEFS)) {
        throw new IllegalArgumentException("only a kretprobe of kprobe_events takes maxactive");
      }
    }

    /** Returns the probe as the kernel's own tools name it: {@code kretprobe:vfs_read}. */
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
   * The entries of many functions, or the returns from them, by way of ftrace. Needs kernel 5.18
   * and CONFIG_FPROBE.
   *
   * @param functions their symbols, one for each site; if the kernel refuses one, it refuses all
   * @param cookies one for each site, or none
   */
  record KprobeMulti(
      List<AttachSite> sites, List<String> functions, boolean isReturn, List<Long> cookies)
      implements AttachSpec {
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

  /** A trampoline at the entry or exit of the function that the program is bound to. */
  record Trampoline(AttachSite site, BtfBinding function, boolean isExit) implements SingleSite {
    @Override
    public ProgramType programType() {
      return isExit ? ProgramType.FEXIT : ProgramType.FENTRY;
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
   * A breakpoint in user code: of a USDT probe too, whose semaphore it raises.
   *
   * @param locations at least one: a process may have a function in several files
   * @param isReturn whether it is on the return from the functions at {@code locations}
   */
  record Uprobe(AttachSite site, List<UserLocation> locations, boolean isReturn)
      implements SingleSite {
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

  /** The CPUs that a timer runs on. */
  sealed interface Cpus {
    /** All that are online. */
    record Online() implements Cpus {}

    /** Any one. */
    record Any() implements Cpus {}

    /** The one of that number. */
    record One(int number) implements Cpus {}
  }

  /** A timer, by way of a perf event of the CPU clock. */
  record PerfTimer(AttachSite site, Cpus cpus, SamplingRate rate) implements SingleSite {
    @Override
    public ProgramType programType() {
      return ProgramType.PERF_EVENT;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** A perf event that overflows after so many of what it counts, on every CPU that is online. */
  record CounterOverflow(AttachSite site, PerfPeriod event) implements SingleSite {
    @Override
    public ProgramType programType() {
      return ProgramType.PERF_EVENT;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The tracepoint of the entries of all system calls, or of all exits; the program picks its own.
   *
   * @param event {@code sys_enter}, {@code sys_exit}
   * @param binding the type of its probes, where programs may load from the registers they are
   *     handed
   */
  record AllSyscalls(List<AttachSite> sites, String event, Optional<BtfBinding> binding)
      implements AttachSpec {
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

  /** When a program that is attached to nothing runs. */
  enum Moment {
    /** Before anything is attached: BEGIN. */
    BEGIN,
    /** After everything is detached: END. */
    END
  }

  /** One run on request, by BPF_PROG_TEST_RUN. */
  record TestRun(AttachSite site, Moment moment) implements SingleSite {
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
