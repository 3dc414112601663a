package dev.ply.bpf.vm;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R4;
import static dev.ply.bpf.isa.Register.R5;
import static dev.ply.bpf.vm.Code.add;
import static dev.ply.bpf.vm.Code.call;
import static dev.ply.bpf.vm.Code.exit;
import static dev.ply.bpf.vm.Code.load;
import static dev.ply.bpf.vm.Code.map;
import static dev.ply.bpf.vm.Code.mov;
import static dev.ply.bpf.vm.Code.program;
import static dev.ply.bpf.vm.Code.wide;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.vm.helper.SideEffect;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.map.StackTraceStore;
import dev.ply.bpf.vm.memory.SimulatedMemory;
import dev.ply.target.PidNamespace;
import dev.ply.type.AddressSpace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HelperRuntimeTest {
  private static final long ADDRESS = 0x7fff_0000_0ffcL;
  private static final int EFAULT = 14;
  private static final int EINVAL = 22;
  private static final byte OLD = 0x2a;
  private static final PidNamespace NAMESPACE = new PidNamespace(4, 0xf0000001L);

  private final SimulatedMemory memory = new SimulatedMemory();
  private final Task task =
      new Task(
          new Task.Identity(
              100,
              101,
              1000,
              50,
              "a-very-long-thread-name",
              77,
              0xffff_8881_0000_0000L,
              Optional.of(new PidNamespace.Ids(NAMESPACE, 10, 11))),
          3,
          123_456_789_012L,
          memory,
          new Task.Stacks(List.of(0x10L, 0x20L, 0x30L), List.of(0x40L)),
          new Task.Attachment(42, 0xffff_ffff_8100_0000L, 2));
  private final VirtualMachine machine =
      new VirtualMachine(
          List.of(
              new BpfMap("stacks", MapType.STACK_TRACE, 4, 16, 2),
              new BpfMap("perf", MapType.PERF_EVENT_ARRAY, 4, 4, 4),
              new BpfMap("out", MapType.ARRAY, 4, 32, 1)),
          4,
          VmOptions.DEFAULT.withEngine(engine()));

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  @Test
  void identityCpuAndTimeComeFromTheTask() {
    assertThat(result(Helper.GET_CURRENT_PID_TGID)).isEqualTo(100L << 32 | 101);
    assertThat(result(Helper.GET_CURRENT_UID_GID)).isEqualTo(50L << 32 | 1000);
    assertThat(result(Helper.GET_SMP_PROCESSOR_ID)).isEqualTo(3);
    assertThat(result(Helper.KTIME_GET_NS)).isEqualTo(123_456_789_012L);
    assertThat(result(Helper.KTIME_GET_BOOT_NS)).isEqualTo(123_456_789_012L);
    assertThat(result(Helper.GET_CURRENT_TASK)).isEqualTo(0xffff_8881_0000_0000L);
  }

  @Test
  void taskStructHoldsTheThreadName() {
    Instruction[] tail = {
      call(Helper.GET_CURRENT_TASK_BTF), load(Size.DW, R0, R0, Task.NAME_OFFSET + 8), exit()
    };
    byte[] expected = "ong-thr\0".getBytes(StandardCharsets.UTF_8);
    assertThat(machine.run(program(0, tail), new byte[0], task))
        .isEqualTo(ByteBuffer.wrap(expected).order(LITTLE_ENDIAN).getLong());
  }

  @Test
  void perfRecordsGoToTheCurrentCpu() {
    assertThat(output(0xffff_ffffL)).isZero();
    assertThat(output(3)).isZero();
    assertThat(output(2)).isEqualTo(-95);
    assertThat(output(4)).isEqualTo(-7);
    assertThat(output(1L << 32)).isEqualTo(-22);
    List<byte[]> records = new ArrayList<>();
    assertThat(machine.perfEvents("perf").consume(3, records::add)).isEqualTo(2);
    assertThat(records).allSatisfy(record -> assertThat(record).containsExactly(1, 2, 0, 0));
    assertThat(machine.perfEvents("perf").consume(3, records::add)).isZero();
    assertThat(machine.perfEvents("perf").consume(0, records::add)).isZero();
  }

  private long output(long flags) {
    Instruction[] code = {
      Code.store(Size.W, R10, -4, 0x0201),
      map(R2, "perf"),
      wide(R3, flags),
      mov(R4, R10),
      add(R4, -4),
      mov(R5, 4),
      call(Helper.PERF_EVENT_OUTPUT),
      exit()
    };
    return machine.run(program(0, code), new byte[0], task);
  }

  @Test
  void taskStackOfCurrentIsTheStackOfTheProbe() {
    Instruction[] code = {
      call(Helper.GET_CURRENT_TASK_BTF),
      mov(R1, R0),
      mov(R2, R10),
      add(R2, -16),
      mov(R3, 16),
      mov(R4, 1),
      call(Helper.GET_TASK_STACK),
      load(Size.DW, R1, R10, -8),
      Code.alu(AluOp.ADD, R0, R1),
      exit()
    };
    assertThat(machine.run(program(0, code), new byte[0], task)).isEqualTo(16 + 0x30);
    Instruction[] wrong = {
      mov(R1, 5), mov(R2, 0), mov(R3, 0), mov(R4, 0), call(Helper.GET_TASK_STACK), exit()
    };
    assertThatThrownBy(() -> machine.run(program(0, wrong), new byte[0], task))
        .hasMessageContaining("passes 0x5 in r1, not a task_struct");
  }

  @Test
  void userRegistersComeFromTheMemoryOfTheRun() {
    memory.put(AddressSpace.KERNEL, Task.REGISTERS + 96, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    Instruction[] tail = {
      call(Helper.GET_CURRENT_TASK_BTF),
      Code.mov(R1, R0),
      call(Helper.TASK_PT_REGS),
      load(Size.DW, R0, R0, 96),
      exit()
    };
    assertThat(machine.run(program(0, tail), new byte[0], task)).isEqualTo(0x0807_0605_0403_0201L);
  }

  @Test
  void threadNameIsTruncatedAndNotPadded() {
    Task cat = Task.of(1, "cat");

    assertThat(comm(task, 16)).isEqualTo(bytes("a-very-long-thr\0"));
    assertThat(comm(cat, 16)).isEqualTo(bytes("cat\0ry-long-thr\0"));
    assertThat(comm(cat, 3)).isEqualTo(bytes("ca\0"));
    assertThat(comm(task, 20)).startsWith(bytes("a-very-long-thr\0"));
  }

  @Test
  void randomNumbersAre32BitsAndDependOnTheSeed() {
    List<Long> first = randomNumbers(7);

    assertThat(first).isEqualTo(randomNumbers(7)).isNotEqualTo(randomNumbers(8));
    assertThat(first).doesNotHaveDuplicates().allMatch(number -> number >>> 32 == 0);
  }

  @Test
  void probeReadsCopyAcrossPages() {
    memory.put(AddressSpace.USER, ADDRESS, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});

    assertThat(probe(Helper.PROBE_READ_USER, 8, ADDRESS)).isZero();
    assertThat(out(9)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, OLD);
  }

  @Test
  void failedProbeReadsZeroTheirDestination() {
    memory.put(AddressSpace.USER, ADDRESS, new byte[] {1, 2, 3, 4, 5, 6, 7});

    assertThat(probe(Helper.PROBE_READ_USER, 8, ADDRESS)).isEqualTo(-EFAULT);
    assertThat(out(9)).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, OLD);
  }

  @Test
  void kernelAndUserMemoryAreSeparate() {
    memory.put(AddressSpace.KERNEL, ADDRESS, new byte[] {1});

    assertThat(probe(Helper.PROBE_READ_USER, 1, ADDRESS)).isEqualTo(-EFAULT);
    assertThat(probe(Helper.PROBE_READ_KERNEL, 1, ADDRESS)).isZero();
    assertThat(probe(Helper.PROBE_READ_KERNEL, 1, 0)).isEqualTo(-EFAULT);
  }

  @Test
  void simulatedMemoryHasNoContextSpace() {
    assertThatThrownBy(() -> memory.put(AddressSpace.CONTEXT, ADDRESS, new byte[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("simulated memory has the address spaces KERNEL and USER, not CONTEXT");
  }

  @Test
  void stringsAreCopiedWithNul() {
    memory.putString(AddressSpace.KERNEL, ADDRESS, "hello");

    assertThat(probe(Helper.PROBE_READ_KERNEL_STR, 16, ADDRESS)).isEqualTo(6);
    assertThat(out(8)).isEqualTo(bytes("hello\0**"));
  }

  @Test
  void longStringsAreTruncatedAndTerminated() {
    memory.putString(AddressSpace.USER, ADDRESS, "hello");

    assertThat(probe(Helper.PROBE_READ_USER_STR, 4, ADDRESS)).isEqualTo(4);
    assertThat(out(5)).isEqualTo(bytes("hel\0*"));
    assertThat(probe(Helper.PROBE_READ_USER_STR, 1, ADDRESS)).isEqualTo(1);
    assertThat(out(2)).isEqualTo(bytes("\0*"));
    assertThat(probe(Helper.PROBE_READ_USER_STR, 0, ADDRESS)).isZero();
  }

  @Test
  void stringsThatReachUnmappedMemoryFail() {
    memory.put(AddressSpace.USER, ADDRESS, bytes("abc"));

    assertThat(probe(Helper.PROBE_READ_USER_STR, 8, ADDRESS)).isEqualTo(-EFAULT);
    assertThat(out(9)).isEqualTo(bytes("\0\0\0\0\0\0\0\0*"));
    assertThat(probe(Helper.PROBE_READ_USER_STR, 3, ADDRESS)).isEqualTo(3);
    assertThat(out(3)).isEqualTo(bytes("ab\0"));
  }

  @Test
  void kernelProbeReadsReachPastTheFixedContext() {
    Instruction[] code = {
      mov(R3, R1),
      add(R3, 8),
      new Instruction.LoadWide(R1, new WideSource.MapValue("out", 0)),
      mov(R2, 16),
      call(Helper.PROBE_READ_KERNEL_STR),
      exit()
    };

    assertThat(machine.run(program(8, code), bytes("12345678name\0more"), task)).isEqualTo(5);
    assertThat(out(5)).isEqualTo(bytes("name\0"));
  }

  @Test
  void helperOutputOnTheStackIsInitialised() {
    memory.putString(AddressSpace.USER, ADDRESS, "x");
    Instruction[] code = {
      mov(R1, R10),
      add(R1, -8),
      mov(R2, 8),
      wide(R3, ADDRESS),
      call(Helper.PROBE_READ_USER_STR),
      Code.load(Size.DW, R0, R10, -8),
      Code.alu(AluOp.AND, R0, Operand.of(0xffff)),
      exit()
    };

    assertThat(machine.run(program(0, code), new byte[0], task)).isEqualTo('x');
  }

  @Test
  void equalStacksHaveEqualIds() {
    assertThat(stackId(0)).isZero();
    assertThat(stackId(0)).isZero();
    assertThat(stackId(0x100)).isEqualTo(1);
    assertThat(stackId(1)).as("a third trace in a map of two").isEqualTo(-17);
    assertThat(stackId(3)).as("nothing left").isEqualTo(-EFAULT);

    StackTraceStore stacks = machine.stackTraces("stacks");
    assertThat(stacks.trace(0)).as("two addresses of 8 bytes fit").contains(List.of(0x10L, 0x20L));
    assertThat(stacks.trace(1)).contains(List.of(0x40L));
    assertThat(stacks.trace(-EFAULT)).isEmpty();
    stacks.clear();
    assertThat(stackId(1)).isZero();
    assertThat(stacks.trace(0)).contains(List.of(0x20L, 0x30L));
  }

  private long result(Helper helper) {
    return machine.run(program(0, call(helper), exit()), new byte[0], task);
  }

  private byte[] comm(Task task, int size) {
    Instruction[] code = {
      new Instruction.LoadWide(R1, new WideSource.MapValue("out", 0)),
      mov(R2, size),
      call(Helper.GET_CURRENT_COMM),
      exit()
    };
    assertThat(machine.run(program(0, code), new byte[0], task)).isZero();
    return out(size);
  }

  private List<Long> randomNumbers(long seed) {
    VirtualMachine machine =
        new VirtualMachine(
            List.of(), 1, VmOptions.DEFAULT.withEngine(engine()).withRandomSeed(seed));
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      numbers.add(machine.run(List.of(call(Helper.GET_PRANDOM_U32), exit()), new byte[0]));
    }
    return numbers;
  }

  private long probe(Helper helper, int size, long address) {
    byte[] old = new byte[32];
    Arrays.fill(old, OLD);
    machine.map("out").update(new byte[4], List.of(old));
    Instruction[] code = {
      new Instruction.LoadWide(R1, new WideSource.MapValue("out", 0)),
      mov(R2, size),
      wide(R3, address),
      call(helper),
      exit()
    };
    return machine.run(program(0, code), new byte[0], task);
  }

  @Test
  void clocksCgroupAndAttachmentComeFromTheTask() {
    assertThat(result(Helper.KTIME_GET_COARSE_NS)).isEqualTo(123_456_789_012L);
    assertThat(result(Helper.KTIME_GET_TAI_NS)).isEqualTo(123_456_789_012L);
    assertThat(result(Helper.JIFFIES64)).isEqualTo(30_864L);
    assertThat(result(Helper.GET_CURRENT_CGROUP_ID)).isEqualTo(77);
    assertThat(result(Helper.GET_ATTACH_COOKIE)).isEqualTo(42);
    assertThat(result(Helper.GET_FUNC_IP)).isEqualTo(0xffff_ffff_8100_0000L);
    assertThat(result(Helper.GET_FUNC_ARG_CNT)).isEqualTo(2);
  }

  @Test
  void functionArgumentsAndReturnValueComeFromTheContext() {
    byte[] context =
        ByteBuffer.allocate(24).order(LITTLE_ENDIAN).putLong(5).putLong(6).putLong(-7).array();
    assertThat(functionValue(Helper.GET_FUNC_ARG, 1, context)).isEqualTo(6);
    assertThat(functionValue(Helper.GET_FUNC_RET, 0, context)).isEqualTo(-7);
    Instruction[] code = {mov(R2, 2), mov(R3, R10), add(R3, -8), call(Helper.GET_FUNC_ARG), exit()};
    assertThat(machine.run(program(24, code), context, task)).isEqualTo(-22);
  }

  private long functionValue(Helper helper, int index, byte[] context) {
    Instruction[] code =
        helper == Helper.GET_FUNC_RET
            ? new Instruction[] {
              mov(R2, R10), add(R2, -8), call(helper), load(Size.DW, R0, R10, -8), exit()
            }
            : new Instruction[] {
              mov(R2, index),
              mov(R3, R10),
              add(R3, -8),
              call(helper),
              load(Size.DW, R0, R10, -8),
              exit()
            };
    return machine.run(program(24, code), context, task);
  }

  private Instruction[] namespaceIds(PidNamespace namespace) {
    return new Instruction[] {
      new Instruction.LoadWide(R1, new WideSource.Constant(namespace.device())),
      new Instruction.LoadWide(R2, new WideSource.Constant(namespace.inode())),
      new Instruction.LoadWide(R3, new WideSource.MapValue("out", 0)),
      mov(R4, 8),
      call(Helper.GET_NS_CURRENT_PID_TGID),
      exit()
    };
  }

  @Test
  void namespaceIdsAreTidAndPid() {
    Instruction[] code = namespaceIds(NAMESPACE);
    assertThat(machine.run(program(0, code), new byte[0], task)).isZero();
    assertThat(ByteBuffer.wrap(out(8)).order(LITTLE_ENDIAN).getLong()).isEqualTo(10L << 32 | 11);
  }

  @Test
  void idsInAnotherNamespaceAreZeros() {
    Instruction[] code = namespaceIds(new PidNamespace(4, 0xf0000002L));
    assertThat(machine.run(program(0, code), new byte[0], task)).isEqualTo(-EINVAL);
    assertThat(ByteBuffer.wrap(out(8)).getLong()).isZero();
  }

  @Test
  void stackSkipsTheRequestedFrames() {
    Instruction[] code = {
      new Instruction.LoadWide(R2, new WideSource.MapValue("out", 0)),
      mov(R3, 32),
      mov(R4, 1),
      call(Helper.GET_STACK),
      exit()
    };
    assertThat(machine.run(program(0, code), new byte[0], task)).isEqualTo(16);
    ByteBuffer out = ByteBuffer.wrap(out(32)).order(LITTLE_ENDIAN);
    assertThat(List.of(out.getLong(), out.getLong(), out.getLong()))
        .containsExactly(0x20L, 0x30L, 0L);
  }

  @Test
  void sideEffectsAreRecorded() {
    Instruction[] code = {
      mov(R1, 9), call(Helper.SEND_SIGNAL), mov(R1, 10), call(Helper.SEND_SIGNAL_THREAD), exit()
    };
    assertThat(machine.run(program(0, code), new byte[0], task)).isZero();
    assertThat(machine.takeEffects())
        .containsExactly(
            new SideEffect.Signalled(task, 9, false), new SideEffect.Signalled(task, 10, true));
    assertThat(machine.takeEffects()).isEmpty();
  }

  @Test
  void printkFormatsLikeTheKernel() {
    byte[] format = new byte[32];
    byte[] text = bytes("%d %08lx|%5u|%-3c|%%");
    System.arraycopy(text, 0, format, 0, text.length);
    machine.map("out").update(new byte[4], List.of(format));
    Instruction[] code = {
      new Instruction.LoadWide(R1, new WideSource.MapValue("out", 0)),
      mov(R2, 32),
      mov(R3, -1),
      wide(R4, 0xdeadbeefL),
      mov(R5, 7),
      call(Helper.TRACE_PRINTK),
      exit()
    };
    // Registers hold three values; the format has four conversions.
    assertThat(machine.run(program(0, code), new byte[0], task)).isEqualTo(-22);
    Arrays.fill(format, (byte) 0);
    text = bytes("%d %08lx|%5u|%%");
    System.arraycopy(text, 0, format, 0, text.length);
    machine.map("out").update(new byte[4], List.of(format));
    assertThat(machine.run(program(0, code), new byte[0], task)).isEqualTo(19);
    assertThat(machine.takeEffects())
        .containsExactly(new SideEffect.Printed("-1 deadbeef|    7|%"));
  }

  private long stackId(int flags) {
    return machine.run(
        program(0, map(R2, "stacks"), mov(R3, flags), call(Helper.GET_STACKID), exit()),
        new byte[0],
        task);
  }

  private byte[] out(int size) {
    byte[] value = machine.map("out").lookup(new byte[4]).orElseThrow().get(0);
    return Arrays.copyOf(value, size);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
