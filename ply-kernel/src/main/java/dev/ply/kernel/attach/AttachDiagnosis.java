package dev.ply.kernel.attach;

import dev.ply.analysis.site.FunctionHints;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Suggestions;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.RefusalReasons;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.pmu.MaxSampleRate;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.name.Errno;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.SamplingRate;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.WatchSelector;
import dev.ply.target.KernelSymbols.Extent;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains in the script's terms why a program cannot be attached. */
public final class AttachDiagnosis {
  /** BPF_TRACE_MAX_PROGS. */
  private static final int MOST_OF_EVENT = 64;

  /** BPF_MAX_TRAMP_LINKS. */
  private static final int MOST_OF_TRAMPOLINE = 38;

  private final AttachSite site;
  private final Target target;

  private AttachDiagnosis(AttachSpec spec, Target target) {
    this.site = spec.sites().get(0);
    this.target = target;
  }

  /** Returns the exception to throw for {@code failure}. */
  public static RuntimeException explain(AttachSpec spec, Target target, RuntimeException failure) {
    if (failure instanceof KernelException refusal && refusal.errno() == Errno.EMFILE) {
      // No file can be opened for a diagnosis until some are closed.
      return refusal;
    }
    RuntimeException found = find(spec, target, failure);
    return found instanceof KernelException refusal ? RefusalReasons.explained(refusal) : found;
  }

  /** Returns the error in the site; the failure itself if none is found. */
  private static RuntimeException find(AttachSpec spec, Target target, RuntimeException failure) {
    AttachDiagnosis diagnosis = new AttachDiagnosis(spec, target);
    if (failure instanceof UnreadableTargetException) {
      return diagnosis.notOffered(
          diagnosis.site.definition() + " cannot be attached: " + failure.getMessage());
    }
    if (failure instanceof VerifierRejection rejection && rejection.isTooComplex()) {
      return diagnosis.tooComplex();
    }
    return failure instanceof KernelException refusal ? diagnosis.explain(spec, refusal) : failure;
  }

  private RuntimeException explain(AttachSpec spec, KernelException refusal) {
    if (refusal.errno() == Errno.EPERM || refusal.errno() == Errno.EACCES) {
      Optional<Diagnostic> lacking =
          new PermissionDiagnosis(CapabilitySet.ofThisProcess()).of(spec);
      if (lacking.isPresent()) {
        return new CompilationException(List.of(lacking.get()));
      }
    }
    if (refusal.errno() == Errno.E2BIG) {
      return crowded(spec);
    }
    return spec.accept(new Explanations(refusal));
  }

  /** Explains an errno for each kind of attachment; the refusal itself where it needs no other. */
  private final class Explanations implements AttachSpec.Visitor<RuntimeException> {
    private final KernelException refusal;

    Explanations(KernelException refusal) {
      this.refusal = refusal;
    }

    @Override
    public RuntimeException visit(AttachSpec.Trampoline spec) {
      return typed(refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.RawTracepoint spec) {
      return raw(spec, refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.CounterOverflow spec) {
      return uncounted(spec, refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.Watchpoint spec) {
      return unwatched(spec, refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.Iterator spec) {
      return uniterated(refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.KprobeMulti spec) {
      return probe(new KernelLocation.Symbol(spec.functions().get(0)), spec.isReturn(), refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.Kprobe spec) {
      return probe(spec.location(), spec.isReturn(), refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.Uprobe spec) {
      return refusal.errno() == Errno.EINVAL ? user(spec) : refusal;
    }

    @Override
    public RuntimeException visit(AttachSpec.PerfTimer spec) {
      return timer(spec).orElse(refusal);
    }

    @Override
    public RuntimeException visit(AttachSpec.Tracepoint spec) {
      return refusal;
    }

    @Override
    public RuntimeException visit(AttachSpec.AllSyscalls spec) {
      return refusal;
    }

    @Override
    public RuntimeException visit(AttachSpec.TestRun spec) {
      return refusal;
    }
  }

  /** Of the probes on one instruction, the kernel takes no two with different semaphores. */
  private RuntimeException user(AttachSpec.Uprobe uprobe) {
    boolean hasSemaphore = uprobe.locations().stream().anyMatch(one -> one.semaphore() != 0);
    return at(
        DiagnosticCode.NOT_OFFERED,
        "the kernel does not allow " + site.definition(),
        hasSemaphore
            ? "another trace probes the same instruction without its semaphore, or with another"
                + " (ref_ctr_offset mismatch in the kernel's log): stop that trace, or probe the"
                + " instruction the same way in it"
            : "its instruction cannot be probed, or another trace probes it as a USDT probe with a"
                + " semaphore (ref_ctr_offset mismatch in the kernel's log): write usdt here, too");
  }

  /**
   * Reports an offset beyond the function's end, which the kernel would accept. Not checked where
   * the kernel hides addresses.
   */
  static Optional<CompilationException> checkOffset(AttachSpec spec, Target target) {
    if (!(spec instanceof AttachSpec.Kprobe kprobe)
        || !(kprobe.location() instanceof KernelLocation.Symbol inside)
        || inside.offset() == 0) {
      return Optional.empty();
    }
    List<Extent> extents = target.symbols().named(inside.function());
    if (extents.size() != 1 || inside.offset() < extents.get(0).size()) {
      return Optional.empty();
    }
    return Optional.of(
        new AttachDiagnosis(spec, target)
            .at(
                DiagnosticCode.OUT_OF_RANGE,
                "\"" + inside.symbol() + "\" has no offset " + inside.offset(),
                "it ends before offset " + extents.get(0).size()));
  }

  private RuntimeException probe(
      KernelLocation location, boolean isReturn, KernelException refusal) {
    if (location instanceof KernelLocation.Symbol symbol) {
      return switch (refusal.errno()) {
        case ENOENT -> unknown(symbol);
        case EADDRNOTAVAIL -> ambiguous(symbol);
        case EILSEQ -> noInstruction(symbol);
        case EINVAL, EOPNOTSUPP ->
            symbol.offset() % target.architecture().instructionSize() != 0
                ? noInstruction(symbol)
                : at(
                    DiagnosticCode.NOT_OFFERED,
                    "the kernel does not allow a probe on \"" + symbol.text() + "\"",
                    "functions that kprobes themselves need cannot be probed");
        default -> refusal;
      };
    }
    return switch (refusal.errno()) {
      case EILSEQ -> noInstruction(location);
      case ENOENT, EADDRNOTAVAIL, EINVAL, EOPNOTSUPP ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "the kernel does not allow a probe at " + location.text(),
              isReturn
                  ? "a kretprobe needs the address where a function begins"
                  : "instructions of its functions can be probed, but not all of them");
      default -> refusal;
    };
  }

  /** A probe site has a limited number of programs, for all traces together. */
  private RuntimeException crowded(AttachSpec spec) {
    int most = spec instanceof AttachSpec.Trampoline ? MOST_OF_TRAMPOLINE : MOST_OF_EVENT;
    return at(
        DiagnosticCode.NOT_OFFERED,
        site.definition()
            + " has the kernel's maximum of programs, "
            + most
            + " for all traces together",
        "stop other traces of it (bpftool link and bpftool perf list them), or use another"
            + " provider");
  }

  private RuntimeException typed(KernelException refusal) {
    return switch (refusal.errno()) {
      case ENOTSUPP, EOPNOTSUPP, EPERM ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "this kernel does not support fentry and fexit",
              "it is built without CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS; try a kprobe");
      case ENOENT, EINVAL, EBUSY, EADDRNOTAVAIL ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "the kernel does not allow " + site.definition(),
              "it is not traceable, or patched by something else");
      default -> refusal;
    };
  }

  private CompilationException tooComplex() {
    return at(
        DiagnosticCode.TOO_COMPLEX,
        "too many paths through this clause: the kernel's verifier gave up",
        "it follows a million instructions, and each comparison of strings in an expression"
            + " multiplies the paths: split the clause");
  }

  private CompilationException unknown(KernelLocation.Symbol symbol) {
    KernelSelector.Function function =
        new KernelSelector.Function(symbol.module(), symbol.function());
    return new CompilationException(List.of(FunctionHints.missing(site.span(), function, target)));
  }

  private CompilationException ambiguous(KernelLocation.Symbol symbol) {
    String addresses =
        target.symbols().named(symbol.function()).stream()
            .map(extent -> "kprobe:" + new KernelLocation.Address(extent.address()).text())
            .collect(Collectors.joining(", "));
    return at(
        DiagnosticCode.UNKNOWN_FUNCTION,
        "this kernel has several functions named \"" + symbol.function() + "\"",
        addresses.isEmpty()
            ? new String[0]
            : new String[] {"probe one of them by its address: " + addresses});
  }

  private CompilationException noInstruction(KernelLocation location) {
    return at(
        DiagnosticCode.NOT_OFFERED,
        "no instruction can be probed at " + location.text(),
        "probe the start of an instruction; a function's first is at offset 0");
  }

  /** Returns the error of a timer that exceeds a limit of this machine, if it does. */
  static Optional<RuntimeException> timerError(AttachSpec.PerfTimer timer, Target target) {
    return new AttachDiagnosis(timer, target).timer(timer);
  }

  /** Returns the limit of this machine that a timer exceeds, if any. */
  private Optional<RuntimeException> timer(AttachSpec.PerfTimer timer) {
    CpuSet online = CpuSet.online();
    if (timer.cpus() instanceof AttachSpec.Cpus.One one && !online.contains(one.number())) {
      return Optional.of(
          at(
              DiagnosticCode.OUT_OF_RANGE,
              "CPU " + one.number() + " of this machine is not online",
              "online are " + online));
    }
    OptionalLong limit = MaxSampleRate.ofThisKernel();
    if (timer.rate() instanceof SamplingRate.Hertz hertz
        && limit.isPresent()
        && hertz.frequency() > limit.getAsLong()) {
      return Optional.of(
          at(
              DiagnosticCode.OUT_OF_RANGE,
              "the kernel's maximum is " + limit.getAsLong() + " samples a second",
              "sysctl kernel.perf_event_max_sample_rate sets the limit"));
    }
    return Optional.empty();
  }

  private RuntimeException raw(AttachSpec.RawTracepoint spec, KernelException refusal) {
    return switch (refusal.errno()) {
      case ENOENT ->
          at(
              DiagnosticCode.UNKNOWN_TRACEPOINT,
              "this kernel has no raw tracepoint \"" + spec.event() + "\"",
              Suggestions.hint(spec.event(), tracepointNames()));
      case EINVAL ->
          at(
              DiagnosticCode.OUT_OF_RANGE,
              site.definition() + " has fewer arguments than the script reads");
      default -> refusal;
    };
  }

  /** Empty where tracefs cannot be read, which raw tracepoints do not need. */
  private Stream<String> tracepointNames() {
    try {
      return target.tracepoints().names().map(name -> name.substring(name.indexOf(':') + 1));
    } catch (UnreadableTargetException e) {
      return Stream.empty();
    }
  }

  private RuntimeException uncounted(AttachSpec.CounterOverflow overflow, KernelException refusal) {
    if (overflow.event().counter().source() != PerfCounter.Source.HARDWARE) {
      return refusal;
    }
    return switch (refusal.errno()) {
      case ENOENT, ENODEV, EOPNOTSUPP, EINVAL ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "this machine has no hardware counter for " + overflow.event().counter().text(),
              "virtual machines often have none (no PMU): sample by time, as in profile:99, or"
                  + " count what the kernel counts, as in software:page-faults");
      default -> refusal;
    };
  }

  private RuntimeException unwatched(AttachSpec.Watchpoint spec, KernelException refusal) {
    return switch (refusal.errno()) {
      case ENOSPC, EBUSY ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "all hardware breakpoints of the CPUs are in use",
              "a CPU has few, four on x86: watch less, or stop other debuggers and tracers");
      case EINVAL, EOPNOTSUPP, ENOENT, ENODEV -> unwatchable(spec);
      default -> refusal;
    };
  }

  private RuntimeException unwatchable(AttachSpec.Watchpoint spec) {
    if (spec.access() == WatchSelector.Access.READ) {
      return at(
          DiagnosticCode.NOT_OFFERED, "this CPU has no read-only watchpoints", "write rw for both");
    }
    boolean isKernelCode = spec.access() == WatchSelector.Access.EXECUTE && spec.address() < 0;
    return at(
        DiagnosticCode.NOT_OFFERED,
        "this CPU cannot watch 0x" + Long.toHexString(spec.address()),
        isKernelCode
            ? "instructions of a kernel can be watched if it is built with kprobes"
            : "virtual machines may have no hardware breakpoints, and CPUs do not watch all"
                + " addresses");
  }

  private RuntimeException uniterated(KernelException refusal) {
    return switch (refusal.errno()) {
      case EBADF, EINVAL, ENOENT, EOPNOTSUPP ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "the kernel cannot run " + site.definition() + " without a target",
              "some iterators require a map; iter:task, for example, iterates over all objects");
      default -> refusal;
    };
  }

  private CompilationException notOffered(String message) {
    return at(DiagnosticCode.NOT_OFFERED, message);
  }

  private CompilationException at(DiagnosticCode code, String message, String... hints) {
    return new CompilationException(
        List.of(new Diagnostic(Severity.ERROR, code, site.span(), message, List.of(hints))));
  }
}
