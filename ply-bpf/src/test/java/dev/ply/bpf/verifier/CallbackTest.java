package dev.ply.bpf.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.vm.Engine;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.VmOptions;
import dev.ply.bpf.vm.helper.Task;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Functions that helpers call: what the verifier says of them, and what the machine does. */
final class CallbackTest {
  private static final List<BpfMap> MAPS =
      List.of(
          new BpfMap("stats", MapType.HASH, 8, 8, 16),
          new BpfMap("events", MapType.RINGBUF, 0, 0, 4096));

  private static final String SUM =
      """
      *(u64 *)(r10 -8) = 0
      r1 = %s
      r2 = subprog[add]
      r3 = r10
      r3 += -8
      r4 = 0
      call bpf_loop
      r0 = *(u64 *)(r10 -8)
      exit
      add: r3 = *(u64 *)(r2 +0)
      r3 += r1
      *(u64 *)(r2 +0) = r3
      %s
      exit
      """;

  @Test
  void loopSumsTheResultsOfItsCallback() {
    assertThat(violations(SUM.formatted("10", "r0 = 0"))).isEmpty();
    assertThat(run(SUM.formatted("10", "r0 = 0"))).isEqualTo(45);
    assertThat(run(SUM.formatted("0", "r0 = 0"))).isZero();
  }

  @Test
  void callbackThatReturnsOneStopsTheLoop() {
    String text = SUM.formatted("10", "r0 = 0\nif r1 < 0x5 goto out\nr0 = 1\nout: r1 = 0");
    assertThat(violations(text)).isEmpty();
    assertThat(run(text)).isEqualTo(15);
  }

  @Test
  void callbackInvalidatesWhatItMayWrite() {
    String text =
        """
        r6 = map[stats]
        *(u64 *)(r10 -16) = 0
        *(u64 *)(r10 -8) = 1
        r1 = 4
        r2 = subprog[forget]
        r3 = r10
        r3 += -8
        r4 = 0
        call bpf_loop
        r1 = r6
        r2 = r10
        r2 += -16
        call bpf_map_lookup_elem
        if r0 == 0x0 goto end
        r1 = *(u64 *)(r10 -8)
        r0 += r1
        r1 = *(u8 *)(r0 +0)
        end: r0 = 0
        exit
        forget: *(u64 *)(r2 +0) = r1
        r0 = 0
        exit
        """;
    assertThat(violations(text))
        .containsExactly(
            "the number added to the pointer r0 is not bounded; compare it or mask it first");
  }

  @Test
  void callbackReturnsZeroOrOneAndReleasesRecords() {
    assertThat(violations(SUM.formatted("10", "r0 = 2")))
        .containsExactly("a callback must return 0 to continue or 1 to stop");
    assertThat(
            violations(
                SUM.formatted(
                    "10",
                    """
                    r1 = map[events]
                    r2 = 8
                    r3 = 0
                    call bpf_ringbuf_reserve
                    r0 = 0\
                    """)))
        .contains(
            "the callback returns with the record that instruction 17 reserved; submit or"
                + " discard it on every path");
    assertThat(violations(SUM.formatted("10", "r0 = r9")))
        .containsExactly("r9 is read before it is written");
  }

  @Test
  void callbackThatNeverReturnsIsAnInfiniteLoop() {
    assertThat(violations(SUM.formatted("10", "again: r0 = 0\ngoto again")))
        .contains("infinite loop: this instruction is reached again in the same state");
  }

  @Test
  void callbackMustBeAFunction() {
    assertThat(violations("r1 = 1\nr2 = 7\nr3 = 0\nr4 = 0\ncall bpf_loop\nexit"))
        .containsExactly("loop takes a function of the program in r2, which is a number");
  }

  @Test
  void callbackReceivesEachMapEntry() {
    String text =
        """
        *(u64 *)(r10 -8) = 0
        r1 = map[stats]
        r2 = subprog[weigh]
        r3 = r10
        r3 += -8
        r4 = 0
        call bpf_for_each_map_elem
        r0 = *(u64 *)(r10 -8)
        exit
        weigh: r5 = *(u64 *)(r2 +0)
        r3 = *(u64 *)(r3 +0)
        r5 *= r3
        r1 = *(u64 *)(r4 +0)
        r1 += r5
        *(u64 *)(r4 +0) = r1
        r0 = 0
        exit
        """;
    assertThat(violations(text)).isEmpty();
    for (Engine engine : Engine.values()) {
      VirtualMachine machine = machine(engine);
      machine.map("stats").update(bytes(3), List.of(bytes(5)));
      machine.map("stats").update(bytes(10), List.of(bytes(7)));
      assertThat(machine.run(program(text), new byte[0], Task.of(1, "a"))).isEqualTo(85);
    }
    assertThat(violations(text.replace("r5 *= r3", "*(u64 *)(r2 +0) = 1")))
        .containsExactly("r2 is the 8-byte key of map \"stats\", which is read-only");
  }

  @Test
  void manyLoopsWithUnknownSumsAreFewStates() {
    String loop =
        """
        r1 = map[stats]
        r2 = subprog[add]
        r3 = r10
        r4 = 0
        call bpf_for_each_map_elem
        """;
    String text =
        """
        *(u64 *)(r10 -8) = 0
        %s
        r0 = *(u64 *)(r10 -8)
        exit
        add: r1 = *(u64 *)(r4 -8)
        r5 = *(u64 *)(r3 +0)
        if r5 > 0x5 goto more
        r1 += 1
        more: r1 += 2
        *(u64 *)(r4 -8) = r1
        r0 = 0
        exit
        """
            .formatted(loop.repeat(12));
    VerificationReport report = new Verifier(MAPS).verify(program(text));
    assertThat(report.violations()).isEmpty();
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static List<String> violations(String text) {
    return new Verifier(MAPS)
        .verify(program(text)).violations().stream().map(Violation::message).toList();
  }

  private static long run(String text) {
    long result = run(text, Engine.INTERPRETER);
    assertThat(run(text, Engine.TRANSLATOR)).isEqualTo(result);
    return result;
  }

  private static long run(String text, Engine engine) {
    return machine(engine).run(program(text), new byte[0], Task.of(1, "a"));
  }

  private static VirtualMachine machine(Engine engine) {
    return new VirtualMachine(MAPS, 1, VmOptions.DEFAULT.withEngine(engine));
  }

  private static BpfProgram program(String text) {
    List<Instruction> code = Assembler.assemble("callback", text);
    return new BpfProgram("callback", ProgramType.RAW_TRACEPOINT, 0, code);
  }
}
