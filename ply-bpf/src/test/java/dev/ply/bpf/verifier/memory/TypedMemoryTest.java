package dev.ply.bpf.verifier.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.verifier.Violation;
import dev.ply.selector.KernelSelector;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the kernel knows by type: its structures, and what its functions are handed. */
class TypedMemoryTest {
  private static final int TASK = 11;
  private static final BtfTypes TYPES = types();

  private static BtfTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int u64 = btf.integer("long unsigned int", 8, false);
    int path = btf.struct("path", 16, Member.at(8, "inode", u64));
    int mm = btf.struct("mm_struct", 32, Member.at(0, "total", u64), Member.at(16, "exe", path));
    int toMm = btf.pointer(mm);
    int toUser = btf.pointer(btf.tag("user", mm));
    int toTask = btf.pointer(TASK);
    int either = btf.union("", 8, Member.at(0, "tracer", toTask), Member.at(0, "bits", u64));
    int task =
        btf.struct(
            "task_struct",
            64,
            Member.at(0, "pid", s32),
            Member.at(8, "mm", toMm),
            Member.at(16, "real_parent", toTask),
            Member.at(24, "", either),
            Member.at(32, "text", btf.pointer(s32)),
            Member.at(40, "frame", toUser),
            Member.at(48, "exe", toTask),
            Member.at(56, "last", toTask));
    assertThat(task).isEqualTo(TASK);
    btf.struct("task_struct__safe_rcu", 8, Member.at(0, "real_parent", toTask));
    btf.struct("task_struct__safe_trusted_or_null", 8, Member.at(0, "exe", toTask));
    btf.struct("pt_regs", 168, Member.at(0, "r15", u64));
    int unused =
        btf.function(
            "wake",
            toTask,
            "task",
            toTask,
            "flags",
            s32,
            "where",
            btf.pointer(toTask),
            "any",
            toMm,
            "text",
            btf.pointer(s32));
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static List<String> fromTask(String code) {
    return violations(
        new BpfProgram(
            "walk",
            ProgramType.RAW_TRACEPOINT,
            8,
            Assembler.assemble("walk", "call bpf_get_current_task_btf\n" + code + END)));
  }

  private static final String END = "\nend: r0 = 0\nexit\n";

  private static List<String> fromArguments(ProgramType type, String code) {
    TypedFunction wake = TYPES.typedFunction(new KernelSelector.Function("wake")).orElseThrow();
    return violations(
        new BpfProgram("walk", type, 48, Assembler.assemble("walk", code + END))
            .withWords(wake.words()));
  }

  private static List<String> violations(BpfProgram program) {
    return new Verifier(List.of(), TYPES)
        .verify(program).violations().stream().map(Violation::message).toList();
  }

  @Test
  void loadedPointersCanBeLoadedThrough() {
    assertThat(
            fromTask(
                """
                r1 = *(u64 *)(r0 +16)
                r1 = *(u64 *)(r1 +8)
                r1 = *(u64 *)(r1 +0)
                r1 &= 7
                """))
        .isEmpty();
  }

  @Test
  void membersHaveOffsetAndSize() {
    assertThat(fromTask("r1 = *(u64 *)(r0 +64)"))
        .containsExactly(
            "r0 is the kernel's task_struct: 8 bytes at offset 64 are outside struct task_struct,"
                + " which has 64 bytes");
    assertThat(fromTask("r0 += 8\nr1 = *(u32 *)(r0 +4)"))
        .containsExactly(
            "r0 is the kernel's task_struct: 4 bytes at offset 12 of struct task_struct are not all"
                + " of the address \"mm\" at 8");
  }

  @Test
  void scalarsAndUntypedPointersCannotBeLoadedThrough() {
    assertThat(fromTask("r1 = *(u32 *)(r0 +0)\nr1 = *(u32 *)(r1 +0)")).hasSize(1);
    assertThat(fromTask("r1 = *(u64 *)(r0 +32)\nr1 = *(u32 *)(r1 +0)"))
        .containsExactly("r1 points to untyped kernel memory; read it with probe_read_kernel");
  }

  @Test
  void userPointersCannotBeLoadedThrough() {
    assertThat(fromTask("r1 = *(u64 *)(r0 +40)\nr1 = *(u64 *)(r1 +0)"))
        .containsExactly("r1 is a struct mm_struct in user memory; read it with probe_read_user");
  }

  @Test
  void nullablePointersMustBeTested() {
    assertThat(fromTask("r1 = *(u64 *)(r0 +48)\nr1 = *(u32 *)(r1 +0)"))
        .containsExactly("r1 may be null: loaded pointers may be null; test it first");
    assertThat(fromTask("r1 = *(u64 *)(r0 +48)\nif r1 == 0x0 goto end\nr1 = *(u32 *)(r1 +0)"))
        .isEmpty();
  }

  @Test
  void helpersTakeTrustedPointersOnly() {
    String registers = "\ncall bpf_task_pt_regs\nr1 = *(u64 *)(r0 +0)";
    assertThat(fromTask("r1 = r0" + registers)).isEmpty();
    assertThat(fromTask("r1 = *(u64 *)(r0 +16)" + registers)).isEmpty();
    assertThat(fromTask("r1 = *(u64 *)(r0 +56)" + registers)).isEmpty();
    assertThat(fromTask("r1 = *(u64 *)(r0 +24)" + registers))
        .containsExactly(
            "task_pt_regs takes a trusted task_struct in r1, which points into"
                + " the kernel's task_struct");
    assertThat(fromTask("r1 = *(u64 *)(r0 +8)" + registers)).hasSize(1);
  }

  @Test
  void structuresInsideOthersAreReachedByTheirOffset() {
    String call = "\nr2 = r10\nr2 += -8\n*(u64 *)(r2 +0) = 0\nr3 = 8\ncall bpf_d_path";
    assertThat(fromArguments(ProgramType.FENTRY, "r1 = *(u64 *)(r1 +24)\nr1 += 16" + call))
        .isEmpty();
    assertThat(fromArguments(ProgramType.FENTRY, "r1 = *(u64 *)(r1 +24)\nr1 += 24" + call))
        .containsExactly(
            "d_path takes a trusted path in r1, which points into the kernel's mm_struct");
    assertThat(fromArguments(ProgramType.FENTRY, "r1 = *(u64 *)(r1 +0)" + call)).hasSize(1);
    assertThat(
            fromArguments(ProgramType.TYPED_TRACEPOINT, "r1 = *(u64 *)(r1 +24)\nr1 += 16" + call))
        .hasSize(1);
  }

  @Test
  void loadHasOneKindOfMemoryOnAllPaths() {
    assertThat(
            fromTask(
                """
                r2 = r10
                r2 += -8
                *(u64 *)(r2 +0) = 1
                r3 = *(u32 *)(r0 +0)
                if r3 == 0x0 goto load
                r2 = r0
                load: r1 = *(u32 *)(r2 +0)
                """))
        .containsExactly(
            "r2 is the stack here and the kernel's task_struct on another path; use separate"
                + " loads");
  }

  @Test
  void argumentsHaveTheTypesOfTheFunction() {
    assertThat(
            fromArguments(
                ProgramType.FENTRY,
                "r2 = *(u64 *)(r1 +0)\nr3 = *(u64 *)(r1 +8)\nr2 = *(u32 *)(r2 +0)"))
        .isEmpty();
    assertThat(fromArguments(ProgramType.FENTRY, "r2 = *(u64 *)(r1 +8)\nr2 = *(u32 *)(r2 +0)"))
        .hasSize(1);
    assertThat(fromArguments(ProgramType.FENTRY, "r2 = *(u32 *)(r1 +0)"))
        .containsExactly("argument word 0 is an address, which must be loaded whole (8 bytes)");
    assertThat(fromArguments(ProgramType.FENTRY, "r2 = *(u8 *)(r1 +32)"))
        .containsExactly("argument word 4 is an address, which must be loaded whole (8 bytes)");
    assertThat(fromArguments(ProgramType.FENTRY, "r2 = *(u64 *)(r1 +32)\nr2 &= 7")).isEmpty();
    assertThat(fromArguments(ProgramType.FENTRY, "r2 = *(u64 *)(r1 +16)"))
        .containsExactly(
            "argument word 2 is a pointer to neither a structure nor a number, which programs must"
                + " not load; copy it with probe_read_kernel");
  }

  @Test
  void onlyFexitHasAResult() {
    String result = "r2 = *(u64 *)(r1 +40)\nr2 = *(u32 *)(r2 +0)";
    assertThat(fromArguments(ProgramType.FEXIT, result)).isEmpty();
    assertThat(fromArguments(ProgramType.FENTRY, result))
        .contains("the function has only 5 words of arguments");
  }

  @Test
  void pointerNegatedTwiceIsAScalar() {
    assertThat(
            fromArguments(
                ProgramType.FENTRY, "r2 = *(u64 *)(r1 +0)\nr2 = -r2\nr2 = -r2\nr2 &= 0xff"))
        .isEmpty();
  }
}
