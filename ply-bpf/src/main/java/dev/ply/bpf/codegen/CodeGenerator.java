package dev.ply.bpf.codegen;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.AttachPlan;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.plan.AttachPlanner;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.ir.AttachPoint;
import dev.ply.target.KernelTypes;
import dev.ply.target.Mechanism;
import dev.ply.target.TracepointFormat;
import dev.ply.target.TypedLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compiles analysed scripts. All clauses on one place make one program, so that they run in the
 * script's order and pay for the probe once; places with the same clauses share it. The same script
 * and target give the same object. Stateless and thread-safe.
 */
public final class CodeGenerator {
  /** No tracepoint has more arguments than twelve words. */
  private static final int RAW_ARGUMENTS = 12 * Long.BYTES;

  private final CompilerOptions options;

  /** A generator with these options. */
  public CodeGenerator(CompilerOptions options) {
    this.options = options;
  }

  /**
   * Compiles a script.
   *
   * @throws dev.ply.diagnostic.CompilationException if it cannot be attached as the options say
   */
  public BpfObject generate(AnalyzedScript script) {
    AttachPlanner planner = new AttachPlanner(script.target(), options.mechanism());
    List<PlannedProgram> planned = planner.plan(script);
    ObjectBuilder object = new ObjectBuilder(script, options, planned);
    List<ProbeProgram> programs = new ArrayList<>();
    for (PlannedProgram program : planned) {
      programs.add(program(script, object, program, "probe" + programs.size()));
    }
    return object.build(programs, planner.probeNames());
  }

  private static ProbeProgram program(
      AnalyzedScript script, ObjectBuilder object, PlannedProgram planned, String name) {
    List<Instruction> code = new ProgramCompiler(script, object, planned).compile();
    return program(script, object, planned, name, code);
  }

  private static ProbeProgram program(
      AnalyzedScript script,
      ObjectBuilder object,
      PlannedProgram planned,
      String name,
      List<Instruction> code) {
    ProgramType type = typeOf(planned);
    int contextSize = contextSize(type, script, planned);
    Optional<ProbeProgram> next =
        planned
            .next()
            .map(
                other ->
                    isSame(planned.mechanism(), other.mechanism())
                        ? program(script, object, other, name, code)
                        : program(script, object, other, name));
    return new ProbeProgram(
        planned.sites(),
        planned.cookies(),
        new BpfProgram(name, type, contextSize, words(planned), code),
        new AttachPlan(
            planned.mechanism(),
            planned.function().map(KernelTypes.Function::id),
            planned.seesInstruction(),
            planned.reason(),
            next));
  }

  private static List<TypedLoad> words(PlannedProgram planned) {
    return planned.function().map(KernelTypes.Function::words).orElse(List.of());
  }

  /** Tells whether programs see the same of two mechanisms, so that one's code is the other's. */
  private static boolean isSame(Mechanism one, Mechanism other) {
    return one == Mechanism.KPROBE_MULTI && other == Mechanism.KPROBE;
  }

  private static ProgramType typeOf(PlannedProgram planned) {
    return switch (planned.mechanism()) {
      case KPROBE_MULTI, KPROBE, KPROBE_EVENTS -> ProgramType.KPROBE;
      case TRACEPOINT -> ProgramType.TRACEPOINT;
      case RAW_SYSCALLS ->
          planned.function().isPresent()
              ? ProgramType.TYPED_TRACEPOINT
              : ProgramType.RAW_TRACEPOINT;
      case RAW_TRACEPOINT -> ProgramType.RAW_TRACEPOINT;
      case FENTRY -> isAtExit(planned) ? ProgramType.FEXIT : ProgramType.FENTRY;
      case FENTRY_SYSCALL -> ProgramType.FENTRY;
      case DIRECT -> directType(planned.sites().get(0).point());
    };
  }

  private static boolean isAtExit(PlannedProgram planned) {
    AttachPoint point = planned.sites().get(0).point();
    return point instanceof AttachPoint.Kretprobe || point instanceof AttachPoint.Fexit;
  }

  private static ProgramType directType(AttachPoint point) {
    if (point.isInUserSpace()) {
      return ProgramType.KPROBE;
    }
    return point instanceof AttachPoint.Interval
            || point instanceof AttachPoint.Profile
            || point instanceof AttachPoint.Software
            || point instanceof AttachPoint.Hardware
        ? ProgramType.PERF_EVENT
        : ProgramType.RAW_TRACEPOINT;
  }

  /** A record is as long as the one of the clauses' tracepoints that they share. */
  private static int contextSize(ProgramType type, AnalyzedScript script, PlannedProgram planned) {
    List<AnalyzedClause> clauses = planned.clauses();
    return switch (type) {
      case FENTRY, FEXIT -> words(planned).size() * Long.BYTES;
      case TYPED_TRACEPOINT -> (words(planned).size() - 1) * Long.BYTES;
      case TRACEPOINT ->
          clauses.stream()
              .flatMap(clause -> clause.tracepoint().stream())
              .mapToInt(TracepointFormat::size)
              .max()
              .orElse(0);
      case KPROBE, PERF_EVENT -> script.target().architecture().registersSize();
      case RAW_TRACEPOINT -> RAW_ARGUMENTS;
    };
  }
}
