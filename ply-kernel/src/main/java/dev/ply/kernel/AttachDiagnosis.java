package dev.ply.kernel;

import dev.ply.analysis.ProbeSite;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.SamplingRate;
import dev.ply.target.KernelSymbols.Extent;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Says in the script's terms why a program cannot be attached. */
final class AttachDiagnosis {
  private final ProbeSite site;
  private final Target target;

  private AttachDiagnosis(ProbeSite site, Target target) {
    this.site = site;
    this.target = target;
  }

  /** Returns what to throw instead of {@code failure}. */
  static RuntimeException explain(ProbeSite site, Target target, RuntimeException failure) {
    if (failure instanceof KernelException refusal && refusal.errno() == Errno.EMFILE) {
      // Nothing can be looked up before something is closed.
      return refusal;
    }
    RuntimeException found = find(site, target, failure);
    return found instanceof KernelException refusal ? RefusalReasons.explained(refusal) : found;
  }

  /** Returns what is wrong with the place, the failure itself if nothing is known to be. */
  private static RuntimeException find(ProbeSite site, Target target, RuntimeException failure) {
    AttachDiagnosis diagnosis = new AttachDiagnosis(site, target);
    if (failure instanceof UnreadableTargetException) {
      return diagnosis.notOffered(
          site.point().definition() + " cannot be attached: " + failure.getMessage());
    }
    if (failure instanceof VerifierRejection rejection && rejection.isTooComplex()) {
      return diagnosis.tooComplex();
    }
    if (failure instanceof KernelException && site.point() instanceof AttachPoint.Profile profile) {
      return diagnosis.profile(profile).orElse(failure);
    }
    if (!(failure instanceof KernelException refusal)) {
      return failure;
    }
    if (site.point().typedFunction().isPresent()) {
      return diagnosis.typed(refusal);
    }
    if (site.point() instanceof AttachPoint.RawTracepoint raw) {
      return diagnosis.raw(raw, refusal);
    }
    if (site.point() instanceof AttachPoint.Hardware hardware) {
      return diagnosis.uncounted(hardware, refusal);
    }
    return place(site.point()).map(place -> diagnosis.explain(place, refusal)).orElse(refusal);
  }

  /**
   * Finds fault with an offset that the kernel would let pass: it may lead out of its function.
   * Where the kernel hides addresses, nothing is known.
   */
  static Optional<CompilationException> checkOffset(ProbeSite site, Target target) {
    if (!(site.point() instanceof AttachPoint.Kprobe kprobe)
        || !(kprobe.place() instanceof KernelSelector.Inside inside)) {
      return Optional.empty();
    }
    List<Extent> extents = target.symbols().named(inside.function().name());
    if (extents.size() != 1 || inside.offset() < extents.get(0).size()) {
      return Optional.empty();
    }
    return Optional.of(
        new AttachDiagnosis(site, target)
            .at(
                DiagnosticCode.OUT_OF_RANGE,
                "\"" + inside.function().text() + "\" has no offset " + inside.offset(),
                "it ends before offset " + extents.get(0).size()));
  }

  private static Optional<KernelSelector> place(AttachPoint point) {
    if (point instanceof AttachPoint.Kprobe kprobe) {
      return Optional.of(kprobe.place());
    }
    return point instanceof AttachPoint.Kretprobe kretprobe
        ? Optional.of(kretprobe.place())
        : Optional.empty();
  }

  private RuntimeException explain(KernelSelector place, KernelException refusal) {
    Optional<KernelSelector.Function> function = function(place);
    return switch (refusal.errno()) {
      case ENOENT -> function.map(this::unknown).orElseGet(() -> forbidden(place));
      case EADDRNOTAVAIL -> function.map(this::ambiguous).orElseGet(() -> forbidden(place));
      case EILSEQ -> noInstruction(place);
      case EINVAL, EOPNOTSUPP -> forbidden(place);
      default -> refusal;
    };
  }

  private RuntimeException typed(KernelException refusal) {
    return switch (refusal.errno()) {
      case ENOTSUPP, EOPNOTSUPP, EPERM ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "this kernel has no fentry and fexit",
              "it is built without CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS; a kprobe may do");
      case ENOENT, EINVAL, EBUSY, EADDRNOTAVAIL ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "the kernel does not allow " + site.point().definition(),
              "it is not traceable, or in use by what patches it");
      default -> refusal;
    };
  }

  private CompilationException tooComplex() {
    return at(
        DiagnosticCode.TOO_COMPLEX,
        "there are too many ways through this clause: the kernel's verifier gave up",
        "it follows a million instructions; each comparison of strings that is computed with"
            + " multiplies them: split the clause");
  }

  private CompilationException unknown(KernelSelector.Function function) {
    String what = "this kernel has no function \"" + function.name() + "\"";
    return at(
        DiagnosticCode.UNKNOWN_FUNCTION,
        function
            .module()
            .map(module -> what + " in a module \"" + module + "\"")
            .orElse(what + ", or the compiler inlined it"),
        Suggestions.hint(function.name(), target.symbols().names()));
  }

  private CompilationException ambiguous(KernelSelector.Function function) {
    String addresses =
        target.symbols().named(function.name()).stream()
            .map(extent -> "kprobe:" + new KernelSelector.Address(extent.address()).text())
            .collect(Collectors.joining(", "));
    return at(
        DiagnosticCode.UNKNOWN_FUNCTION,
        "several functions of this kernel are called \"" + function.name() + "\"",
        addresses.isEmpty()
            ? new String[0]
            : new String[] {"probe one of them by its address: " + addresses});
  }

  private CompilationException noInstruction(KernelSelector place) {
    return at(
        DiagnosticCode.NOT_OFFERED,
        "at " + place.text() + " there is no instruction that can be probed",
        "the start of an instruction can: a function's first is at offset 0");
  }

  private CompilationException forbidden(KernelSelector place) {
    if (place instanceof KernelSelector.Address) {
      return at(
          DiagnosticCode.NOT_OFFERED,
          "the kernel does not allow a probe at " + place.text(),
          site.point() instanceof AttachPoint.Kretprobe
              ? "a kretprobe needs the address where a function begins"
              : "instructions of its functions can be probed, but not all of them");
    }
    return at(
        DiagnosticCode.NOT_OFFERED,
        "the kernel does not allow a probe on \"" + place.text() + "\"",
        "functions that kprobes themselves need cannot be probed");
  }

  private static Optional<KernelSelector.Function> function(KernelSelector place) {
    if (place instanceof KernelSelector.Function function) {
      return Optional.of(function);
    }
    return place instanceof KernelSelector.Inside inside
        ? Optional.of(inside.function())
        : Optional.empty();
  }

  /** Says which limit of this machine a profile exceeds, if it does. */
  private Optional<RuntimeException> profile(AttachPoint.Profile profile) {
    CpuSet online = CpuSet.online();
    if (profile.cpu().isPresent() && !online.contains(profile.cpu().getAsInt())) {
      return Optional.of(
          at(
              DiagnosticCode.OUT_OF_RANGE,
              "CPU " + profile.cpu().getAsInt() + " of this machine is not online",
              "online are " + online));
    }
    OptionalLong limit = RunningKernel.maxSampleRate();
    if (profile.rate() instanceof SamplingRate.Hertz hertz
        && limit.isPresent()
        && hertz.frequency() > limit.getAsLong()) {
      return Optional.of(
          at(
              DiagnosticCode.OUT_OF_RANGE,
              "the kernel takes no more than " + limit.getAsLong() + " samples a second",
              "sysctl kernel.perf_event_max_sample_rate sets the limit"));
    }
    return Optional.empty();
  }

  private RuntimeException raw(AttachPoint.RawTracepoint point, KernelException refusal) {
    return switch (refusal.errno()) {
      case ENOENT ->
          at(
              DiagnosticCode.UNKNOWN_TRACEPOINT,
              "this kernel has no raw tracepoint \"" + point.event() + "\"",
              Suggestions.hint(
                  point.event(),
                  target.tracepoints().names().map(name -> name.substring(name.indexOf(':') + 1))));
      case EINVAL ->
          at(
              DiagnosticCode.OUT_OF_RANGE,
              point.definition() + " has not as many arguments as are read of it");
      default -> refusal;
    };
  }

  private RuntimeException uncounted(AttachPoint.Hardware hardware, KernelException refusal) {
    return switch (refusal.errno()) {
      case ENOENT, ENODEV, EOPNOTSUPP, EINVAL ->
          at(
              DiagnosticCode.NOT_OFFERED,
              "the processors of this machine do not count "
                  + hardware.event().counter().text()
                  + ", or do not let it be seen",
              "virtual machines often have no counters: the kernel's own are there, as in"
                  + " software:cpu-clock");
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
