package dev.ply.bpf.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.cfg.MapSizes;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.golden.GoldenFile;
import dev.ply.golden.GoldenTest;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The output of each pass, and the slots that it saves. */
class PassTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  private static Optional<MapSizes> maps(String name) {
    return Optional.of(new MapSizes(name.length() == 1 ? 8 : 16, 8));
  }

  @TestFactory
  Stream<DynamicNode> unrollLoops() {
    return golden("unroll-loops", new UnrollLoops(new Analyses(PassTest::maps)));
  }

  @TestFactory
  Stream<DynamicNode> threadJumps() {
    return golden("thread-jumps", new ThreadJumps(new Analyses(PassTest::maps)));
  }

  @TestFactory
  Stream<DynamicNode> shareValues() {
    return golden("share-values", new ShareValues(new Analyses(PassTest::maps)));
  }

  @TestFactory
  Stream<DynamicNode> propagateValues() {
    return golden("propagate-values", new PropagateValues(new Analyses(PassTest::maps)));
  }

  @TestFactory
  Stream<DynamicNode> eliminateDeadStores() {
    return golden(
        "eliminate-dead-stores", new EliminateDeadStores(new Analyses(PassTest::maps), true));
  }

  /** A verifier does not know that the strings differ, and follows both branches. */
  @Test
  void infeasibleBranchesStayValid() {
    Script script =
        PlyScript.parse(
            """
            tracepoint:test:widths {
              if ("dd" == "") { } else { numbers[pid, ""] = 0; }
              printf("%d%s%d", 0, "", kpid);
            }
            """);
    assertAcceptedAfterEach(script);
  }

  /** A length is compared, and spilled until it is used. */
  @Test
  void comparedValueIsNoCopy() {
    assertAcceptedAfterEach(
        PlyScript.parse(
            """
            tracepoint:test:widths {
              m[uptr(data->path) - (strcmp(mem(uptr(data->path), 1), comm) - (n[dyn(data->label, 1)]
                - (data->path - (uid - (strcmp(mem(uptr(data->path), 1), "") - (nsecs - (n[""]
                - (cpu - (uid - (("" == comm) - (data->s16 - kptr(data->path))))))))))))]
                = n[""] - (pid - (data->s16 - (n[dyn(data->label, 1)] - (data->path - 1))));
            }
            BEGIN { n[""] = 0; }
            """));
  }

  /** A field is a length and in use before and after, so that it is spilled. */
  @Test
  void comparedValueIsTheOneThatIsUsed() {
    assertAccepted(
        Pass.ALL,
        PlyScript.parse(
            """
            BEGIN { texts[0] = ""; }
            tracepoint:test:widths {
              @sizes = quantize(data->u8, 0);
              if (ustack) {
                print(buf(0, data->u8), (data->s64 * data->s16, mem(data->path, 1)));
              } else {
                printf("%s %d", str(uptr(data->path)), data->s16 * strcontains(texts[0], comm));
              }
            }
            """));
  }

  /** Between two reads of one field, there is too much for its length to stay in a register. */
  @Test
  void aLengthIsBoundedWhereverItIsUsed() {
    assertAccepted(
        Pass.ALL,
        PlyScript.parse(
            """
            BEGIN { texts[0] = ""; @counted[0] = count(); }
            tracepoint:test:widths {
              {
                $t = dyn(data->label);
                unroll (3) {
                  if (numbers[0, texts[data->name[9]]]) { }
                  $m = 0 > uptr(data->path);
                  for ($kv : @counted) { $m = 0; }
                  print($m);
                  printf("%d %s %d", numbers[0, ""] << (0 & data->s16), "", data->name[9]);
                }
                $t = dyn(data->label);
              }
              numbers[0, str(0, 0)] = 0;
            }
            """));
  }

  /** A kernel that does not pad names leaves what a later copy of the name is taken for. */
  @Test
  void zeroesUnderAnUnpaddedNameStay() {
    List<Instruction> code =
        Assembler.assemble(
            "name",
            """
            *(u64 *)(r10 -16) = 0
            *(u64 *)(r10 -8) = 0
            r1 = r10
            r1 += -16
            r2 = 16
            call bpf_get_current_comm
            *(u64 *)(r10 -8) = 1
            r0 = *(u64 *)(r10 -8)
            exit
            """);
    assertThat(new EliminateDeadStores(new Analyses(PassTest::maps), false).apply(code))
        .isEqualTo(code);
  }

  private static void assertAcceptedAfterEach(Script script) {
    for (Pass pass : Pass.values()) {
      assertAccepted(Set.of(pass), script);
    }
  }

  private static void assertAccepted(Set<Pass> passes, Script script) {
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses(passes);
    assertThat(new TraceCompiler(TARGET, options).compile(script).programs()).isNotEmpty();
  }

  private static Stream<DynamicNode> golden(String folder, UnaryOperator<List<Instruction>> pass) {
    return GoldenTest.in("optimize/" + folder)
        .section("after", file -> Disassembler.listing(pass.apply(before(file))))
        .section(
            "tidied",
            file -> Disassembler.listing(new EliminateDeadCode().apply(pass.apply(before(file)))))
        .tests();
  }

  private static List<Instruction> before(GoldenFile file) {
    return Assembler.assemble("before", file.text("before"));
  }

  /** Program size in slots, with all passes but one and with all. */
  private static List<Integer> slots(Pass pass, String script) {
    Set<Pass> others = EnumSet.allOf(Pass.class);
    others.remove(pass);
    return List.of(slots(others, script), slots(Pass.ALL, script));
  }

  private static int slots(Set<Pass> passes, String script) {
    BpfObject object =
        new TraceCompiler(TARGET, CompilerOptions.DEFAULT.withPasses(passes))
            .compile(PlyScript.parse(script));
    return object.programs().stream()
        .flatMap(program -> program.program().code().stream())
        .mapToInt(Instruction::slots)
        .sum();
  }

  @Test
  void constantKeysNeedNoLookup() {
    assertThat(slots(Pass.PLACE_KNOWN_KEYS, "kprobe:f / pid == 7 / { @[pid] = count(); }"))
        .containsExactly(35, 15);
  }

  @Test
  void loopsOfConstantsAreComputed() {
    assertThat(
            listing(
                """
                kprobe:f { $t = 0; for ($i : 0..10) { $t += $i; } @ = sum($t); }
                """))
        .contains(" += 45")
        .doesNotContain("loop");
  }

  @Test
  void loopsWithinLoopsAreUnrolledWhereTheyAreShort() {
    assertThat(
            listing(
                """
                kprobe:f {
                  $t = (uint64)0;
                  for ($i : 0..3) { for ($j : 0..2) { $t += arg0 + $j; } }
                  @ = sum($t);
                }
                """))
        .doesNotContain("goto loop");
    assertThat(listing("kprobe:f { for ($i : 0..1000) { @ = sum(arg0 >> $i); } }"))
        .contains("goto loop");
  }

  @Test
  void decidedTestsAreSkipped() {
    assertThat(slots(Pass.THREAD_JUMPS, "kprobe:f / s[kpid] / { @ = sum(s[kpid]); s[1] = 1; }"))
        .containsExactly(51, 41);
  }

  @Test
  void commonSubexpressionsAreComputedOnce() {
    assertThat(
            slots(
                Pass.SHARE_VALUES,
                "kprobe:f / s[kpid] > 1 / { @ = sum(s[kpid]); } BEGIN { s[1] = 1; }"))
        .containsExactly(52, 43);
  }

  @Test
  void deadStoresAreRemoved() {
    assertThat(
            slots(
                Pass.ELIMINATE_DEAD_STORES,
                "kprobe:f { @[kpid] = count(); @n[kpid] = count(); s[kpid] = 1; }"))
        .containsExactly(81, 80);
  }

  @Test
  void redundantTruncationIsRemoved() {
    assertThat(slots(Pass.PROPAGATE_VALUES, "kprobe:f { @[comm, pid] = count(); }"))
        .containsExactly(41, 40);
  }

  @Test
  void cheapestConditionIsTestedFirst() {
    assertThat(listing("kprobe:f / comm != \"a\" && pid > 7 / { exit(0); }"))
        .containsSubsequence("bpf_get_current_pid_tgid", "bpf_get_current_comm");
    assertThat(listing("kprobe:f / arg0 == 1 || comm == \"a\" || pid == 7 / { exit(0); }"))
        .containsSubsequence("if", "bpf_get_current_pid_tgid", "bpf_get_current_comm");
  }

  @Test
  void threadNameIsComparedInTaskStruct() {
    SimulatedTarget target = TARGET.withThreadNameAt(Task.NAME_OFFSET);
    assertThat(listing(target, "kprobe:f / comm == \"a\" / { @ = count(); }"))
        .containsSubsequence("bpf_get_current_task_btf", "+1752)", "if r0 != 0x61")
        .doesNotContain("bpf_get_current_comm");
    assertThat(listing(target, "kprobe:f / comm == \"a\" / { @[comm, pid] = count(); }"))
        .containsOnlyOnce("bpf_get_current_task_btf");
  }

  private static String listing(String script) {
    return listing(TARGET, script);
  }

  private static String listing(SimulatedTarget target, String script) {
    return Disassembler.listing(
        new TraceCompiler(target, CompilerOptions.DEFAULT)
            .compile(PlyScript.parse(script))
            .programs()
            .get(0)
            .program()
            .code());
  }
}
