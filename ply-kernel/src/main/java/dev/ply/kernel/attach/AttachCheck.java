package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.kernel.pmu.KprobeUnit;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds what cannot be attached on this machine without attaching or loading it: for programs that
 * are checked only. What this process lacks the privileges for is assumed to be possible.
 */
public final class AttachCheck {
  private final Target target;
  private final KernelFeatures features;
  private final Optional<KprobeUnit> kprobes;

  private AttachCheck(Target target) {
    this.target = target;
    this.features = KernelFeatures.ofThisKernel();
    this.kprobes = KprobeUnit.ofThisKernel();
  }

  /** Returns errors of probes that cannot be attached, and notes about those that are skipped. */
  public static List<Diagnostic> find(BpfObject object, Target target) {
    AttachCheck check = new AttachCheck(target);
    AttachReport report = new AttachReport(target, check.features::missingForAll);
    List<Diagnostic> found = new ArrayList<>();
    for (ProbeProgram program : object.programs()) {
      if (program.own().isEmpty()) {
        for (int i = 0; i < program.specs().size(); i++) {
          found.addAll(errors(check, program, i, report));
        }
      }
    }
    if (found.isEmpty()) {
      found.addAll(errorsOr(report::finish));
    }
    return found.stream().distinct().toList();
  }

  private static List<Diagnostic> errors(
      AttachCheck check, ProbeProgram program, int index, AttachReport report) {
    AttachSpec spec = program.specs().get(index);
    Optional<RuntimeException> refusal = check.refusal(program, index);
    return errorsOr(
        () -> {
          refusal.ifPresentOrElse(
              reason -> report.refused(spec, reason), () -> report.attached(spec));
          return List.of();
        });
  }

  private interface Step {
    List<Diagnostic> run();
  }

  private static List<Diagnostic> errorsOr(Step step) {
    try {
      return step.run();
    } catch (CompilationException e) {
      return e.diagnostics();
    }
  }

  /** Returns why a spec and its alternative cannot be attached. */
  private Optional<RuntimeException> refusal(ProbeProgram program, int index) {
    Optional<RuntimeException> own = program.specs().get(index).accept(new Refusals());
    if (own.isEmpty() || program.next().isEmpty()) {
      return own;
    }
    return program
        .instead(index)
        .mapToObj(i -> refusal(program.next().get(), i))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Returns why a spec cannot be attached; what has no check is only known when attached. */
  private final class Refusals implements AttachSpec.Visitor<Optional<RuntimeException>> {
    @Override
    public Optional<RuntimeException> visit(AttachSpec.Kprobe spec) {
      return AttachDiagnosis.checkOffset(spec, target)
          .<RuntimeException>map(error -> error)
          .or(() -> lacking(Feature.KPROBES))
          .or(() -> refusal(spec));
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.KprobeMulti spec) {
      return lacking(Feature.KPROBE_MULTI);
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.Trampoline spec) {
      return features
          .missingForAll(Feature.TRAMPOLINES)
          .map(unused -> new KernelException(Errno.ENOTSUPP, spec.site().definition()));
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.Uprobe spec) {
      return lacking(Feature.UPROBES);
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.PerfTimer spec) {
      return AttachDiagnosis.timerError(spec, target);
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.CounterOverflow spec) {
      return opened(
          PerfEventAttr.counter(spec.event().counter(), spec.event().period()),
          spec.site().definition());
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.Watchpoint spec) {
      return opened(
          PerfEventAttr.watchpoint(spec.address(), spec.length(), spec.access()),
          spec.site().definition());
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.Tracepoint spec) {
      return Optional.empty();
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.RawTracepoint spec) {
      return Optional.empty();
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.AllSyscalls spec) {
      return Optional.empty();
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.Iterator spec) {
      return Optional.empty();
    }

    @Override
    public Optional<RuntimeException> visit(AttachSpec.TestRun spec) {
      return Optional.empty();
    }
  }

  private Optional<RuntimeException> lacking(Feature feature) {
    return features.missingForAll(feature).map(UnreadableTargetException::new);
  }

  /**
   * Requests a kprobe inside the first instruction, which the kernel refuses without creating it
   * after it has found the function. Where instructions are aligned, it is refused before.
   */
  private Optional<RuntimeException> refusal(AttachSpec.Kprobe kprobe) {
    if (kprobes.isEmpty()
        || kprobe.site().pattern().isPresent()
        || target.architecture().instructionSize() > 1
        || !(kprobe.location() instanceof KernelLocation.Symbol symbol)) {
      return Optional.empty();
    }
    KernelLocation within = new KernelLocation.Symbol(symbol.module(), symbol.function(), 1);
    return opened(kprobes.get().attr(within, false), kprobe.description())
        .filter(
            refusal ->
                !(refusal instanceof KernelException known) || known.errno() != Errno.EILSEQ);
  }

  /** Opens an event, disabled, and closes it; what other tracers use now is not missing. */
  private static Optional<RuntimeException> opened(PerfEventAttr attr, String description) {
    try {
      SystemCalls.openPerfEvent(attr, CpuSet.online().number(0), description).close();
      return Optional.empty();
    } catch (KernelException e) {
      return switch (e.errno()) {
        case EACCES, EPERM, EMFILE, ENOSPC, EBUSY -> Optional.empty();
        default -> Optional.of(e);
      };
    }
  }
}
