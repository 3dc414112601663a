package dev.ply.bpf.codegen;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedProgram;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.ir.AttachPoint;
import dev.ply.target.TracepointFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles analysed scripts. All clauses on one place make one program, so that they run in the
 * script's order and pay for the probe once; places with the same clauses share it. The same script
 * and target give the same object. Stateless and thread-safe.
 */
public final class CodeGenerator {
  private final CompilerOptions options;

  /** A generator with these options. */
  public CodeGenerator(CompilerOptions options) {
    this.options = options;
  }

  /** Compiles a script. */
  public BpfObject generate(AnalyzedScript script) {
    ObjectBuilder object = new ObjectBuilder(script, options);
    List<ProbeProgram> programs = new ArrayList<>();
    for (AnalyzedProgram program : script.programs()) {
      programs.add(program(script, object, program, programs.size()));
    }
    return object.build(programs);
  }

  private static ProbeProgram program(
      AnalyzedScript script, ObjectBuilder object, AnalyzedProgram analyzed, int index) {
    var code = new ProgramCompiler(script, object, analyzed.clauses()).compile();
    ProgramType type = typeOf(analyzed.sites().get(0).point());
    int contextSize = contextSize(type, script, analyzed.clauses());
    return new ProbeProgram(
        analyzed.sites(), new BpfProgram("probe" + index, type, contextSize, code));
  }

  private static ProgramType typeOf(AttachPoint point) {
    if (point instanceof AttachPoint.Tracepoint) {
      return ProgramType.TRACEPOINT;
    }
    if (point instanceof AttachPoint.Kprobe || point instanceof AttachPoint.Kretprobe) {
      return ProgramType.KPROBE;
    }
    return point instanceof AttachPoint.Interval || point instanceof AttachPoint.Profile
        ? ProgramType.PERF_EVENT
        : ProgramType.RAW_TRACEPOINT;
  }

  /** A record is as long as the one of the clauses' tracepoints that they share. */
  private static int contextSize(
      ProgramType type, AnalyzedScript script, List<AnalyzedClause> clauses) {
    return switch (type) {
      case TRACEPOINT ->
          clauses.stream()
              .flatMap(clause -> clause.tracepoint().stream())
              .mapToInt(TracepointFormat::size)
              .max()
              .orElse(0);
      case KPROBE, PERF_EVENT -> script.target().architecture().registersSize();
      case RAW_TRACEPOINT, FENTRY, FEXIT -> 0;
    };
  }
}
