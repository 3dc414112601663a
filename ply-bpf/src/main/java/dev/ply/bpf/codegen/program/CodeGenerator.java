package dev.ply.bpf.codegen.program;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.plan.AttachPlanner;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.bpf.plan.ProgramContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compiles analysed scripts. All clauses on a probe site become one program, which runs them in
 * script order; sites with the same clauses share it. The same script and target yield the same
 * object. Stateless and thread-safe.
 */
@SuppressWarnings("exports") // parts of it are for the other modules
public final class CodeGenerator {
  private final CompilerOptions options;

  /**
   * Creates a code generator.
   *
   * @param options sizes, passes and mechanism
   */
  public CodeGenerator(CompilerOptions options) {
    this.options = options;
  }

  /**
   * Compiles a script.
   *
   * @param script without errors
   * @return programs and maps
   * @throws dev.ply.diagnostic.CompilationException if it cannot be attached by the mechanism in
   *     the options
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
    Optional<ProbeProgram> next =
        planned
            .next()
            .map(
                other ->
                    isSame(planned, other)
                        ? program(script, object, other, name, code)
                        : program(script, object, other, name));
    AttachSpec spec = planned.specs().get(0);
    ProgramContext context = planned.context();
    return new ProbeProgram(
        planned.specs(),
        new BpfProgram(name, spec.programType(), context.size(), context.words(), code),
        next);
  }

  /** Returns whether both have the same context, so that they can share code. */
  private static boolean isSame(PlannedProgram one, PlannedProgram other) {
    return one.context() instanceof ProgramContext.Registers
        && other.context() instanceof ProgramContext.Registers;
  }
}
