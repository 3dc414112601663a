package dev.ply.kernel.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.generate.MachinePrograms;
import dev.ply.bpf.generate.Mutations;
import dev.ply.bpf.generate.Scenarios;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.ir.IrPrinter;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Our verifier and the kernel's judge the same programs. What ours accepts never faults on the
 * virtual machine, and the kernel accepts it too. Programs are loaded, none is attached.
 */
@Tag("live")
@Tag("oldest")
class ProgramsIT {
  /**
   * Older kernels decide a jump only by a constant on its right, and follow ways that ours knows
   * are never taken (is_branch_taken in kernel/bpf/verifier.c). What they refuse there is counted.
   */
  private static final boolean COMPARES_RANGES = new RunningKernel().version().isAtLeast(6, 8);

  private static final boolean IS_GUEST = System.getProperty("ply.guest") != null;
  private static final int PIECES = 8;
  private static final int LAST_WORDS = 600;
  private static final int MUTANTS_OF_ONE = 10;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  /** {@code -Dharness.programs=N} programs. */
  @Test
  void whatOursAcceptsIsSafeAndTheKernelAcceptsIt() {
    Verifier verifier = new Verifier(MachinePrograms.MAPS);
    Tally tally = new Tally();
    try (KernelVerdicts kernel = new KernelVerdicts(MachinePrograms.MAPS)) {
      Search.of("harness.programs", IS_GUEST ? 40 : 300)
          .check(
              () -> MachinePrograms.programs(PIECES),
              program -> judge(program, MachinePrograms.MAPS, verifier, kernel, tally, true));
    }
    System.out.println("generated programs on this kernel: " + tally);
  }

  private static void judge(
      BpfProgram program,
      List<BpfMap> maps,
      Verifier verifier,
      KernelVerdicts kernel,
      Tally tally,
      boolean isComplete) {
    VerificationReport ours = verifier.verify(program);
    try (KernelVerdicts.Verdict verdict = kernel.of(program)) {
      if (ours.isAccepted() && isComplete) {
        run(program);
      }
      if (ours.isAccepted() == verdict.isAccepted()) {
        if (ours.isAccepted()) {
          tally.bothAccept();
        } else {
          tally.bothRefuse();
        }
      } else if (verdict.isAccepted()) {
        tally.oursRefuses(Explanation.of(program, maps, kernel), text(program) + ours.violations());
      } else {
        if (COMPARES_RANGES && !Boolean.getBoolean("harness.survey")) {
          throw new AssertionError(
              "the kernel refuses what ours accepts:\n" + text(program) + lastWords(verdict.log()));
        }
        tally.kernelRefuses(reason(verdict.log()), text(program) + lastWords(verdict.log()));
      }
    }
  }

  private static String text(BpfProgram program) {
    return Disassembler.listing(program.code());
  }

  /** The reason stands in front of the statistics. */
  private static String reason(String log) {
    List<String> lines =
        log.lines().filter(line -> !line.isBlank() && !line.startsWith("processed")).toList();
    return lines.isEmpty() ? "no reason" : lines.get(lines.size() - 1);
  }

  private static String lastWords(String log) {
    return log.substring(Math.max(0, log.length() - LAST_WORDS));
  }

  private static void run(BpfProgram program) {
    VirtualMachine machine = new VirtualMachine(MachinePrograms.MAPS, 1);
    for (int i = 0; i < 3; i++) {
      byte[] context = new byte[MachinePrograms.CONTEXT_BYTES];
      Arrays.fill(context, (byte) (i == 2 ? -1 : i));
      machine.run(program, context, Task.of(1, "init"));
    }
  }

  /**
   * {@code -Dharness.mutants=N} programs of scripts, each changed in one instruction; several are
   * of one script.
   */
  @Test
  void verdictsOnMutantsOfScriptsAgree() {
    TraceCompiler compiler = compiler();
    Tally tally = new Tally();
    Search.of("harness.mutants", IS_GUEST ? 20 : 60)
        .perValue(MUTANTS_OF_ONE)
        .check(
            () -> Scenarios.scripts(Surroundings.UNSEEN),
            script -> {
              BpfObject object = compiler.compile(script);
              Verifier verifier = new Verifier(object.maps());
              // Hashes of enums are others in each run.
              Random random = new Random(IrPrinter.print(script).hashCode());
              try (KernelVerdicts kernel = new KernelVerdicts(object.maps())) {
                for (int i = 0; i < MUTANTS_OF_ONE; i++) {
                  BpfProgram program =
                      object.programs().get(random.nextInt(object.programs().size())).program();
                  BpfProgram mutant = Mutations.of(program).generator(1000).next(random).value();
                  judge(mutant, object.maps(), verifier, kernel, tally, false);
                }
              }
            });
    System.out.println("mutants of scripts on this kernel: " + tally);
  }

  private static TraceCompiler compiler() {
    return new TraceCompiler(Stage.target(Surroundings.UNSEEN.architecture()), Stage.OPTIONS);
  }

  /** {@code -Dharness.compiled=N} scripts: what the compiler makes, nobody refuses. */
  @Test
  void neitherRefusesWhatTheCompilerMakes() {
    TraceCompiler compiler = compiler();
    Search.of("harness.compiled", IS_GUEST ? 10 : 50)
        .check(
            () -> Scenarios.scripts(Surroundings.UNSEEN),
            script -> {
              BpfObject object = compiler.compile(script);
              try (KernelVerdicts kernel = new KernelVerdicts(object.maps())) {
                for (var program : object.programs()) {
                  try (KernelVerdicts.Verdict verdict = kernel.of(program.program())) {
                    assertThat(verdict.isAccepted()).as(verdict.log()).isTrue();
                  }
                }
              }
            });
  }
}
