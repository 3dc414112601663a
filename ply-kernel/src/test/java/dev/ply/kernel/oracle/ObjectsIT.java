package dev.ply.kernel.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.btf.VerifierTypes;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.ObjectWalks;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.verifier.RefusalText;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.verifier.Violation;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.load.AttachTarget;
import dev.ply.lang.PlyScript;
import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Our verifier and the kernel's judge the same programs that walk the kernel's own structures. What
 * ours accepts, the kernel accepts. Programs are loaded, none is attached.
 */
@Tag("live")
@Tag("once")
class ObjectsIT {
  private static final boolean IS_GUEST = System.getProperty("ply.guest") != null;
  private static final int STEPS = 8;
  private static final int LAST_WORDS = 600;

  /** Functions that differ in what they are handed. */
  private static final List<String> FUNCTIONS =
      List.of(
          "vfs_read",
          "vfs_rename",
          "vfs_statfs",
          "tcp_sendmsg",
          "tcp_v4_connect",
          "ip_rcv",
          "kfree_skb_reason",
          "wake_up_new_task",
          "do_exit",
          "dput",
          "security_file_open",
          "handle_mm_fault",
          "vm_munmap",
          "blk_mq_submit_bio",
          "kernfs_name");

  /** Tracepoints whose arguments are never null; the kernel has a list of others. */
  private static final List<String> TRACEPOINTS =
      List.of("sys_enter", "sys_exit", "sched_switch", "sched_process_fork", "sched_wakeup");

  private final KernelTypes types = new RunningKernel().types();
  private final VerifierTypes verified = VerifierTypes.of(types);
  private final Verifier verifier = new Verifier(List.of(), types);

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
    Assumptions.assumeTrue(types.isKnown(), "no BTF");
  }

  /** {@code -Dharness.objects=N} programs. */
  @Test
  void walksFromTheRunningThreadAreJudgedAlike() {
    assumeCurrentTask();
    Tally tally = new Tally();
    try (KernelVerdicts kernel = new KernelVerdicts(List.of())) {
      Search.of("harness.objects", IS_GUEST ? 40 : 300)
          .check(
              () -> new ObjectWalks(types).fromTask(STEPS),
              program -> judge(program, kernel.of(program), tally));
    }
    System.out.println("walks from the running thread on this kernel: " + tally);
  }

  /** As many for what functions are handed, over all functions. */
  @Test
  void walksFromArgumentsAreJudgedAlike() {
    List<String> functions =
        FUNCTIONS.stream().filter(name -> types.function(name).isPresent()).toList();
    Tally tally = new Tally();
    boolean isAnyLoaded = false;
    try (KernelVerdicts kernel = new KernelVerdicts(List.of())) {
      for (String name : functions) {
        TypedFunction function =
            verified.typedFunction(new KernelSelector.Function(name)).orElseThrow();
        for (ProgramType type : List.of(ProgramType.FENTRY, ProgramType.FEXIT)) {
          AttachTarget target =
              new AttachTarget(type.attachType(), function.signature().id(), Optional.empty());
          if (!isLoaded(kernel, type, target)) {
            continue;
          }
          isAnyLoaded = true;
          Search.of("harness.objects", IS_GUEST ? 40 : 300)
              .perValue(2 * functions.size())
              .check(
                  () -> new ObjectWalks(types).fromArguments(function, type, STEPS),
                  program -> judge(program, kernel.of(program, target), tally));
        }
      }
    }
    Assumptions.assumeTrue(isAnyLoaded, "the kernel loads no programs for functions");
    System.out.println("walks from arguments on this kernel: " + tally);
  }

  /** As many for what tracepoints hand over, over all tracepoints. */
  @Test
  void walksFromTracepointsAreJudgedAlike() {
    Tally tally = new Tally();
    ProgramType type = ProgramType.TYPED_TRACEPOINT;
    try (KernelVerdicts kernel = new KernelVerdicts(List.of())) {
      for (String event : TRACEPOINTS) {
        TypedFunction probe = verified.typedProbe(event).orElseThrow();
        AttachTarget target =
            new AttachTarget(type.attachType(), probe.signature().id(), Optional.empty());
        Search.of("harness.objects", IS_GUEST ? 40 : 300)
            .perValue(TRACEPOINTS.size())
            .check(
                () -> new ObjectWalks(types).fromArguments(probe, type, STEPS),
                program -> judge(program, kernel.of(program, target), tally));
      }
    }
    System.out.println("walks from tracepoints on this kernel: " + tally);
  }

  /**
   * A function's first argument is a packet, as that of a tracepoint is, which all kernels have.
   */
  @Test
  void theKernelTakesPacketsOfArguments() {
    String script =
        "fentry:dev_hard_start_xmit"
            + " { @[skboutput(\"out.pcap\", args->first, args->first->len, 14)] = count(); }";
    BpfObject object =
        new TraceCompiler(SimulatedTarget.create().withTypes(types), CompilerOptions.DEFAULT)
            .compile(PlyScript.parse(script));
    ProgramType type = ProgramType.TYPED_TRACEPOINT;
    TypedFunction probe = verified.typedProbe("net_dev_queue").orElseThrow();
    BpfProgram program =
        new BpfProgram("packets", type, 8, object.programs().get(0).program().code());
    AttachTarget target =
        new AttachTarget(type.attachType(), probe.signature().id(), Optional.empty());
    try (KernelVerdicts kernel = new KernelVerdicts(object.maps());
        KernelVerdicts.Verdict verdict = kernel.of(program, target)) {
      assertThat(verdict.log()).isEmpty();
    }
  }

  @Test
  void ofMembersThatAreNotThereBothSayWhere() {
    assumeCurrentTask();
    List<Instruction> code =
        Assembler.assemble(
            "walk",
            """
            call bpf_get_current_task_btf
            r1 = *(u64 *)(r0 +32760)
            r0 = 0
            exit
            """);
    BpfProgram program = new BpfProgram("walk", ProgramType.RAW_TRACEPOINT, 8, code);
    int size = types.struct("task_struct").orElseThrow().size();
    assertThat(RefusalText.render(code, verifier.verify(program), span -> Optional.empty()))
        .isEqualTo(
            """
            error: r0 is the kernel's task_struct: 8 bytes at offset 32760 are outside struct \
            task_struct, which has %d bytes
              instruction 1: r1 = *(u64 *)(r0 +32760)
              with r0=kernel(task_struct)
            """
                .formatted(size));
    try (KernelVerdicts kernel = new KernelVerdicts(List.of());
        KernelVerdicts.Verdict verdict = kernel.of(program)) {
      assertThat(verdict.log()).contains("access beyond struct task_struct at off 32760 size 8");
    }
  }

  private static void assumeCurrentTask() {
    Assumptions.assumeTrue(
        new RunningKernel().version().isAtLeast(5, 15),
        "before Linux 5.15 no helper gives a thread's registers");
  }

  /** Functions that never return have no exit, and some kernels load none at all. */
  private static boolean isLoaded(KernelVerdicts kernel, ProgramType type, AttachTarget target) {
    BpfProgram nothing =
        new BpfProgram("nothing", type, 8, Assembler.assemble("it", "r0 = 0\nexit"));
    try (KernelVerdicts.Verdict verdict = kernel.of(nothing, target)) {
      return verdict.isAccepted();
    }
  }

  private void judge(BpfProgram program, KernelVerdicts.Verdict verdict, Tally tally) {
    VerificationReport ours = verifier.verify(program);
    try (verdict) {
      if (ours.isAccepted() == verdict.isAccepted()) {
        if (ours.isAccepted()) {
          tally.bothAccept();
        } else {
          tally.bothRefuse();
        }
      } else if (verdict.isAccepted()) {
        List<String> reasons = ours.violations().stream().map(Violation::message).toList();
        tally.oursRefuses(reasons.get(0), text(program) + reasons);
      } else {
        String log = verdict.log();
        assertThat(ours.isAccepted())
            .as(text(program) + log.substring(Math.max(0, log.length() - LAST_WORDS)))
            .isFalse();
      }
    }
  }

  private static String text(BpfProgram program) {
    return Disassembler.listing(program.code());
  }
}
