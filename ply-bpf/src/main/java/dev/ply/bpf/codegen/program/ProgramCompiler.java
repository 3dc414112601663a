package dev.ply.bpf.codegen.program;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.codegen.context.ContextLayouts;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.CompiledFunction;
import dev.ply.bpf.codegen.emit.ErrorReports;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.ScratchValue;
import dev.ply.bpf.codegen.register.FarJumps;
import dev.ply.bpf.codegen.register.FunctionStacks;
import dev.ply.bpf.codegen.register.RegisterAllocator;
import dev.ply.bpf.codegen.register.UniqueLabels;
import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.optimize.Optimizer;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Compiles the clauses of one probe site into one program. */
final class ProgramCompiler {
  /**
   * The stack bytes for values to try, from the usual amount to that of programs that spill much.
   */
  private static final int[] VALUES_ON_STACK = {416, 128, 0};

  /** The numbers of values of the scratch map to try: the size of each is limited. */
  private static final int[] SCRATCH_VALUES = {0, 1, 4};

  /** The limit for all programs of a script, in instructions, counting labels and marks. */
  private static final int MOST_OF_ALL = 500_000;

  private final AnalyzedScript script;
  private final ObjectBuilder object;
  private final PlannedProgram program;

  ProgramCompiler(AnalyzedScript script, ObjectBuilder object, PlannedProgram program) {
    this.script = script;
    this.object = object;
    this.program = program;
  }

  /**
   * Returns the program over machine registers. Values are on the stack while there is room beside
   * spilled registers, else in the scratch map.
   */
  List<Instruction> compile() {
    int events = object.eventCount();
    for (int valuesOnStack : VALUES_ON_STACK) {
      for (int scratch : SCRATCH_VALUES) {
        try {
          return compile(scratch, valuesOnStack);
        } catch (Memory.NeedsScratch | Memory.Exhausted | RegisterAllocator.StackExhausted e) {
          object.forgetEvents(events);
        }
      }
    }
    throw new CompilationException(
        List.of(
            new Diagnostic(
                Severity.ERROR,
                DiagnosticCode.TOO_COMPLEX,
                program.clauses().get(0).clause().span(),
                "this probe's clauses hold more values at a time than fit a program's memory",
                List.of(
                    "use shorter strings, or split long expressions into several statements"))));
  }

  private List<Instruction> compile(int scratch, int valuesOnStack) {
    CodeBuilder code = new CodeBuilder(script.target().architecture().byteOrder());
    code.report(object.options().reporting(), new ErrorReports(code, object));
    Register context = code.fresh();
    code.move(context, Register.R1);
    Label exit = code.label("exit");
    List<ScratchValue> values = new ArrayList<>();
    for (int i = 0; i < scratch; i++) {
      values.add(new ScratchValue(code.fresh(), object.scratchEntry(program, i)));
    }
    values.forEach(value -> value.find(code, exit));
    Memory memory = new Memory(values, valuesOnStack);
    ContextLayout layout =
        ContextLayouts.of(program, new ContextLayout.Frame(code, memory, context, script.target()));
    layout.enter(exit);
    for (AnalyzedClause clause : program.clauses()) {
      new ClauseCompiler(clause, script, code, memory, object, program, layout, context).compile();
    }
    code.place(exit);
    code.exit(0);
    List<Instruction> main = code.finish();
    // The key of the scratch map's lookup shares memory with the first value.
    int stackUsed =
        scratch > 0 ? Math.max(ScratchValue.STACK_BYTES, memory.stackUsed()) : memory.stackUsed();
    RegisterAllocator allocator = new RegisterAllocator(stackUsed);
    List<Instruction> placed =
        new ArrayList<>(FarJumps.reach(allocator.apply(optimizer().apply(main))));
    addFunctions(code.functions(), placed, new FunctionStacks(allocator.stackUsed()));
    requireFewMaps(placed);
    requireShort(placed.size());
    if (scratch > 0) {
      object.needScratch(Math.max(8, memory.scratchUsed()));
    }
    return List.copyOf(placed);
  }

  /** All programs are in memory until they are loaded. */
  private void requireShort(int instructions) {
    if (object.instructions(instructions) > MOST_OF_ALL) {
      throw new CompilationException(
          List.of(
              new Diagnostic(
                  Severity.ERROR,
                  DiagnosticCode.TOO_COMPLEX,
                  program.clauses().get(0).clause().span(),
                  "with this probe, the script's code is longer than "
                      + MOST_OF_ALL
                      + " instructions",
                  List.of("use shorter clauses, or several scripts"))));
    }
  }

  private void requireFewMaps(List<Instruction> code) {
    Set<String> used = new HashSet<>();
    code.forEach(instruction -> BpfProgram.mapOf(instruction).ifPresent(used::add));
    if (used.size() > BpfProgram.MOST_MAPS) {
      throw new CompilationException(
          List.of(
              new Diagnostic(
                  Severity.ERROR,
                  DiagnosticCode.TOO_COMPLEX,
                  program.clauses().get(0).clause().span(),
                  "this probe's clauses use "
                      + used.size()
                      + " maps of different sizes: the kernel lets a program use "
                      + BpfProgram.MOST_MAPS,
                  List.of(
                      "maps with keys and values of equal types share one: give strings in keys the"
                          + " same size, or use one map with another key, such as @[\"reads\","
                          + " pid]"))));
    }
  }

  /** Adds the functions that are referred to: optimisation can remove calls. */
  private void addFunctions(
      List<CompiledFunction> functions, List<Instruction> placed, FunctionStacks stacks) {
    Set<Label> referred = new HashSet<>();
    collectReferred(placed, referred);
    UniqueLabels labels = new UniqueLabels(placed);
    // A function is defined after those that it refers to.
    for (int i = functions.size() - 1; i >= 0; i--) {
      CompiledFunction function = functions.get(i);
      if (referred.contains(function.entry())) {
        RegisterAllocator own = new RegisterAllocator(function.stackUsed());
        List<Instruction> code =
            function.isOptimized() ? function.code() : optimizer().apply(function.code());
        List<Instruction> reached = FarJumps.reach(own.apply(code));
        collectReferred(reached, referred);
        placed.add(new Instruction.LabelMark(function.entry()));
        placed.addAll(labels.apply(reached));
        stacks.add(function.depth(), own.stackUsed());
      }
    }
    stacks.check();
  }

  private static void collectReferred(List<Instruction> code, Set<Label> referred) {
    for (Instruction instruction : code) {
      if (instruction instanceof Instruction.LoadWide load
          && load.source() instanceof WideSource.Function function) {
        referred.add(function.target());
      } else if (instruction instanceof Instruction.CallLocal call) {
        referred.add(call.target());
      }
    }
  }

  private Optimizer optimizer() {
    return new Optimizer(
        object.options().passes(), object::sizes, script.target().padsThreadNames());
  }
}
