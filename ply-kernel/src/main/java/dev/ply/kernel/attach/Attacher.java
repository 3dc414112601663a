package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.AttachSpec.Cpus;
import dev.ply.bpf.object.AttachSpec.KprobeInterface;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.pmu.KprobeUnit;
import dev.ply.kernel.pmu.UprobeUnit;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.tracefs.StaleEvents;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.kernel.tracefs.TracefsCatalog;
import dev.ply.name.Errno;
import dev.ply.probe.SamplingRate;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Creates attachments from specs, with the interfaces of this kernel. They do not run before {@link
 * Attachment#enable}, and belong to the caller.
 */
public final class Attacher {
  private final Supplier<Tracefs> tracefs;
  private final TracefsCatalog tracepoints;
  private final Optional<KprobeUnit> kprobes;
  private final Optional<UprobeUnit> uprobes;
  private final AtomicBoolean cleaned = new AtomicBoolean();

  /** Detects the kernel's interfaces; tracefs is opened on demand. */
  public Attacher(Supplier<Tracefs> tracefs) {
    this(tracefs, KprobeUnit.ofThisKernel(), UprobeUnit.ofThisKernel());
  }

  Attacher(Supplier<Tracefs> tracefs, Optional<KprobeUnit> kprobes, Optional<UprobeUnit> uprobes) {
    this.tracefs = tracefs;
    this.tracepoints = new TracefsCatalog(tracefs);
    this.kprobes = kprobes;
    this.uprobes = uprobes;
  }

  /** Returns an attacher that creates kprobes and uprobes through tracefs only. */
  static Attacher byTracefs(Supplier<Tracefs> tracefs) {
    return new Attacher(tracefs, Optional.empty(), Optional.empty());
  }

  /**
   * Attaches a program, of the specification's type and bound as it says.
   *
   * @throws KernelException if the kernel refuses, now or when the attachment is enabled: {@code
   *     ENOENT} for an unknown function, {@code EINVAL} for one that must not be probed, {@code
   *     EADDRNOTAVAIL} for a name that several functions have, {@code EILSEQ} within an
   *     instruction, {@code EIO} or {@code EINVAL} for user code that is not an instruction, {@code
   *     ENODEV} or {@code EINVAL} for a CPU that is not online
   * @throws UnreadableTargetException if the kernel lacks what the specification needs
   */
  public Attachment attach(AttachSpec spec, LoadedProgram program) {
    return spec.accept(new Attaching(program));
  }

  /** The attaching of one program. */
  private final class Attaching implements AttachSpec.Visitor<Attachment> {
    private final LoadedProgram program;

    Attaching(LoadedProgram program) {
      this.program = program;
    }

    @Override
    public Attachment visit(AttachSpec.Tracepoint spec) {
      int id =
          tracepoints
              .id(spec.category(), spec.event())
              .orElseThrow(() -> new UnreadableTargetException("it has gone"));
      return PerfEvent.open(
          spec.site().definition(), PerfEventAttr.tracepoint(id), program, spec.cookie());
    }

    @Override
    public Attachment visit(AttachSpec.RawTracepoint spec) {
      String description = "raw tracepoint " + spec.event();
      if (spec.binding().isPresent()) {
        return bound(description);
      }
      return TracingLink.to(
          description,
          () -> BpfAttr.rawTracepoint(spec.event(), program.descriptor(), spec.cookie()));
    }

    @Override
    public Attachment visit(AttachSpec.Kprobe spec) {
      return kprobes.isPresent() && spec.by() == KprobeInterface.PERF
          ? PerfEvent.open(
              spec.description() + " (perf)",
              kprobes.get().attr(spec.location(), spec.isReturn()),
              program,
              spec.cookie())
          : byTracefs(spec);
    }

    private Attachment byTracefs(AttachSpec.Kprobe spec) {
      try {
        return TracefsKprobe.open(cleaned(), spec, program);
      } catch (KernelException e) {
        throw e.errno() == Errno.EINVAL ? refusal(spec).orElse(e) : e;
      }
    }

    @Override
    public Attachment visit(AttachSpec.KprobeMulti spec) {
      return KprobeMulti.on(spec, program);
    }

    @Override
    public Attachment visit(AttachSpec.Trampoline spec) {
      return bound(spec.site().definition());
    }

    @Override
    public Attachment visit(AttachSpec.Uprobe spec) {
      List<Attachment> parts = new ArrayList<>();
      try {
        for (UserLocation location : spec.locations()) {
          parts.add(uprobe(new UprobeLocation(location, spec.isReturn())));
        }
      } catch (RuntimeException | Error e) {
        parts.forEach(Attachment::close);
        throw e;
      }
      String first = parts.get(0).description();
      return parts.size() == 1
          ? parts.get(0)
          : new JointAttachment(first + " and " + (parts.size() - 1) + " more", parts);
    }

    private Attachment uprobe(UprobeLocation at) {
      if (uprobes.isEmpty()) {
        return TracefsUprobe.open(cleaned(), at, program);
      }
      try {
        return PerfEvent.open(
            at + " (perf)",
            uprobes.get().attr(at.place(), at.atReturn()),
            at.place().process(),
            program);
      } catch (KernelException refusal) {
        if (!isForbidden(refusal)) {
          throw refusal;
        }
        return byTracefs(at, refusal);
      }
    }

    /**
     * Attaches through {@code uprobe_events}. Kernels with the fix of CVE-2025-38466 require
     * CAP_SYS_ADMIN for uprobes of perf_event_open(2); tracefs checks file permissions instead.
     */
    private Attachment byTracefs(UprobeLocation at, KernelException refusal) {
      try {
        return TracefsUprobe.open(cleaned(), at, program);
      } catch (UnreadableTargetException e) {
        refusal.addSuppressed(e);
        throw refusal;
      } catch (KernelException e) {
        throw isForbidden(e) ? refusal : e;
      }
    }

    private static boolean isForbidden(KernelException refusal) {
      return refusal.errno() == Errno.EACCES || refusal.errno() == Errno.EPERM;
    }

    @Override
    public Attachment visit(AttachSpec.PerfTimer spec) {
      String description = spec.site().definition();
      PerfEventAttr attr =
          spec.rate() instanceof SamplingRate.Hertz hertz
              ? PerfEventAttr.sampler(hertz.frequency())
              : PerfEventAttr.timer(spec.rate().period().toNanos());
      if (spec.cpus() instanceof Cpus.Online) {
        return PerCpuEvents.open(description, attr, CpuSet.online(), program);
      }
      return spec.cpus() instanceof Cpus.One one
          ? PerfEvent.open(description, attr, one.number(), program)
          : PerfEvent.open(description, attr, program);
    }

    @Override
    public Attachment visit(AttachSpec.CounterOverflow spec) {
      PerfEventAttr attr = PerfEventAttr.counter(spec.event().counter(), spec.event().period());
      return PerCpuEvents.open(spec.site().definition(), attr, CpuSet.online(), program);
    }

    @Override
    public Attachment visit(AttachSpec.Watchpoint spec) {
      PerfEventAttr attr = PerfEventAttr.watchpoint(spec.address(), spec.length(), spec.access());
      return PerCpuEvents.open(spec.site().definition(), attr, CpuSet.online(), program);
    }

    @Override
    public Attachment visit(AttachSpec.Iterator spec) {
      throw new IllegalArgumentException(spec.site().definition() + " is run, not attached");
    }

    @Override
    public Attachment visit(AttachSpec.AllSyscalls spec) {
      String description = "raw tracepoint " + spec.event();
      return spec.binding().isPresent()
          ? bound(description)
          : TracingLink.to(
              description, () -> BpfAttr.rawTracepoint(spec.event(), program.descriptor(), 0));
    }

    @Override
    public Attachment visit(AttachSpec.TestRun spec) {
      throw new IllegalArgumentException(spec.site().definition() + " is run, not attached");
    }

    /** Attaches to the site that the program was bound to at load time. */
    private Attachment bound(String description) {
      return TracingLink.to(description, () -> BpfAttr.bound(program.descriptor()));
    }
  }

  /**
   * Tries a perf event for the same probe, for its error number: tracefs returns the same one for
   * all reasons.
   */
  private static Optional<KernelException> refusal(AttachSpec.Kprobe spec) {
    Optional<KprobeUnit> unit = KprobeUnit.ofThisKernel();
    if (unit.isEmpty()) {
      return Optional.empty();
    }
    try {
      SystemCalls.openPerfEvent(
              unit.get().attr(spec.location(), spec.isReturn()),
              CpuSet.online().number(0),
              spec.description())
          .close();
      return Optional.empty();
    } catch (KernelException e) {
      return Optional.of(e);
    }
  }

  /** Returns tracefs without stale events of killed processes. */
  private Tracefs cleaned() {
    Tracefs found = tracefs.get();
    if (!cleaned.getAndSet(true)) {
      List<String> unused = StaleEvents.remove(found);
    }
    return found;
  }
}
