package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.verifier.RefusalText;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs that our verifier and the kernel's refuse for the same reason; {@code
 * -Drefusals.show=true} prints what each of them says.
 */
@Tag("live")
@Tag("oldest")
final class RefusalsIT {
  private static final BpfMap STATS = new BpfMap("stats", MapType.HASH, 8, 16, 16);
  private static final BpfMap EVENTS = new BpfMap("events", MapType.RINGBUF, 0, 0, 4096);

  /** A program, all that we say of it, and a word that the kernel's log has. */
  private record Refusal(String name, String code, String ours, String kernel) {}

  private static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(
              "a value that may not be there",
              """
              *(u64 *)(r10 -8) = 1
              r2 = r10
              r2 += -8
              r1 = map[stats]
              call bpf_map_lookup_elem
              r1 = *(u64 *)(r0 +0)
              r0 = 0
              exit
              """,
              """
              error: r0 may be null: map_lookup_elem found nothing; test it first
                instruction 6: r1 = *(u64 *)(r0 +0)
                with r0=value(stats) or null
              """,
              "map_value_or_null"),
          new Refusal(
              "an index that is not bounded",
              """
              r6 = *(u64 *)(r1 +0)
              *(u64 *)(r10 -8) = 1
              r2 = r10
              r2 += -8
              r1 = map[stats]
              call bpf_map_lookup_elem
              if r0 == 0x0 goto end
              r6 &= 31
              r0 += r6
              r1 = *(u8 *)(r0 +0)
              end: r0 = 0
              exit
              """,
              """
              error: 1 byte at offsets 0 to 31 may be outside the 16-byte value of map "stats"
                instruction 10: r1 = *(u8 *)(r0 +0)
                with r0=value(stats)+number(0..31)
              """,
              "invalid access to map value"),
          new Refusal(
              "a record that is never handed over",
              """
              r1 = map[events]
              r2 = 8
              r3 = 0
              call bpf_ringbuf_reserve
              if r0 == 0x0 goto end
              *(u64 *)(r0 +0) = 1
              end: r0 = 0
              exit
              """,
              """
              error: the program exits with the record that instruction 4 reserved; submit or discard it on every path
                instruction 8: exit
                with r0=0
              """,
              "nreleased reference"),
          new Refusal(
              "a loop with an exit too many",
              """
              r6 = r1
              r0 = 0
              loop: r1 = *(u64 *)(r6 +0)
              if r1 == 0x0 goto out
              r0 += 1
              if r0 < 9000 goto loop
              out: r0 = 0
              exit
              """,
              """
              error: the program is too complex: more than 8192 branches are pending; shorten its loops
                instruction 4: r0 += 1
                with r0=8192
              """,
              "jumps is too complex"),
          new Refusal(
              "a load from two kinds of memory",
              """
              *(u64 *)(r10 -8) = 1
              r2 = r10
              r2 += -8
              r3 = *(u64 *)(r1 +0)
              if r3 == 0x0 goto load
              r2 = r1
              load: r0 = *(u64 *)(r2 +0)
              r0 = 0
              exit
              """,
              """
              error: r2 is the stack here and the 8-byte context on another path; use separate loads
                instruction 6: r0 = *(u64 *)(r2 +0)
                with r2=fp-8 fp-8=mmmmmmmm
              """,
              "same insn cannot be used with different pointers"),
          new Refusal(
              "a loop without an end",
              """
              r0 = 0
              again: goto again
              exit
              """,
              """
              error: infinite loop: this instruction is reached again in the same state
                instruction 1: goto again

              error: no path reaches this instruction; remove it
                instruction 2: exit
              """,
              ""),
          new Refusal(
              "a key of which half was written",
              """
              *(u32 *)(r10 -8) = 1
              r2 = r10
              r2 += -8
              r1 = map[stats]
              call bpf_map_delete_elem
              r3 = r9
              r0 = 0
              exit
              """,
              """
              error: stack read of 8 bytes at fp-8, of which only 4 are initialised
                instruction 5: call bpf_map_delete_elem
                with r1=map(stats) r2=fp-8 fp-8=mmmm????

              error: r9 is read before it is written
                instruction 6: r3 = r9
              """,
              "!read_ok"));

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @TestFactory
  Stream<DynamicTest> refusals() {
    return REFUSALS.stream().map(refusal -> dynamicTest(refusal.name(), () -> check(refusal)));
  }

  private static void check(Refusal refusal) {
    List<Instruction> code = Assembler.assemble("refusal", refusal.code());
    BpfProgram program = new BpfProgram("refused", ProgramType.RAW_TRACEPOINT, 8, code);
    VerificationReport report = new Verifier(List.of(STATS, EVENTS)).verify(program);
    String ours = RefusalText.render(code, report, span -> Optional.empty());
    String kernel = kernelLog(program);
    if (Boolean.getBoolean("refusals.show")) {
      System.out.println("== " + refusal.name() + "\n-- ply\n" + ours + "\n-- kernel\n" + kernel);
    }
    assertThat(ours).isEqualTo(refusal.ours());
    assertThat(kernel).contains(refusal.kernel());
  }

  private static String kernelLog(BpfProgram program) {
    try (LoadedMap stats = LoadedMap.create(STATS);
        LoadedMap events = LoadedMap.create(EVENTS)) {
      byte[] bytes =
          new InstructionEncoder(
                  ByteOrder.nativeOrder(),
                  name -> (name.equals("stats") ? stats : events).descriptor())
              .encode(program.code())
              .bytes();
      VerifierRejection rejection =
          catchThrowableOfType(
              VerifierRejection.class,
              () -> LoadedProgram.load("refused", program.type(), bytes).close());
      return rejection.log();
    }
  }
}
