package dev.ply.kernel.unwind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.bpf.unwind.UnwindMemory;
import dev.ply.bpf.unwind.UnwindSizes;
import dev.ply.bpf.unwind.UserRegisters;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.VmOptions;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.map.MapStore;
import dev.ply.bpf.vm.memory.SimulatedMemory;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.type.AddressSpace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.LongStream;

/** A compiled program that records the user stack of a process, in the virtual machine. */
final class UnwindProgram {
  private static final int PID = 42;
  private static final UnwindSizes SIZES = new UnwindSizes(8, 8);

  /** Writes into the maps of a virtual machine. */
  private static final class InMachine implements UnwindMemory.Writer {
    private final VirtualMachine machine;
    private final Map<Integer, MapStore> slabs = new HashMap<>();

    InMachine(VirtualMachine machine) {
      this.machine = machine;
    }

    @Override
    public void chunk(int number, byte[] content) {
      slabs
          .computeIfAbsent(
              number / UnwindMaps.SLAB_CHUNKS, slab -> machine.insert(UnwindMaps.MEMORY, slab))
          .update(
              key(number % UnwindMaps.SLAB_CHUNKS),
              List.of(Arrays.copyOf(content, UnwindMaps.CHUNK_BYTES)));
    }

    @Override
    public void process(int process, byte[] value) {
      machine.map(UnwindMaps.PROCESSES).update(key(process), List.of(value));
    }

    @Override
    public void remove(int process) {
      machine.map(UnwindMaps.PROCESSES).delete(key(process));
    }
  }

  private UnwindProgram() {}

  /** A kernel whose programs can load user registers. */
  private static final class ThreadLoading implements AttachFeatures {
    @Override
    public Optional<String> reasonAgainst(Mechanism mechanism) {
      return AttachFeatures.NONE.reasonAgainst(mechanism);
    }

    @Override
    public boolean hasCookies(Mechanism mechanism) {
      return false;
    }

    @Override
    public OptionalInt systemCall(String name) {
      return OptionalInt.empty();
    }

    @Override
    public boolean loadsThread() {
      return true;
    }
  }

  private static SimulatedTarget target(Architecture architecture) {
    return SimulatedTarget.create()
        .withArchitecture(architecture)
        .withFunction("f", 0xffffffff81000000L)
        .withAttachFeatures(new ThreadLoading());
  }

  private static BpfObject compiled(SimulatedTarget target) {
    return new TraceCompiler(target, CompilerOptions.DEFAULT)
        .compile(PlyScript.parse("kprobe:f { @[ustack] = count(); }"));
  }

  private static VirtualMachine machine(BpfObject object) {
    return new VirtualMachine(object.maps(), 1, VmOptions.DEFAULT.withStepLimit(10_000_000));
  }

  /** Returns the events of hits in a process without tables. */
  static List<EventSite> eventsWithoutTables(
      RecordedStack recorded, Architecture architecture, int hits) {
    BpfObject object = compiled(target(architecture));
    VirtualMachine machine = machine(object);
    for (int hit = 0; hit < hits; hit++) {
      machine.run(
          object.programs().get(0).program(),
          new byte[architecture.registersSize()],
          task(recorded, architecture));
    }
    List<EventSite> events = new ArrayList<>();
    int unused =
        machine
            .ringBuffer(BpfObject.EVENTS)
            .consume(record -> events.add(object.events().get(number(record))));
    return events;
  }

  private static int number(byte[] record) {
    return ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  /** Returns what the program records of a stack, with and without the helper for loops. */
  static List<Long> run(RecordedStack recorded, Architecture architecture) {
    SimulatedTarget target = target(architecture);
    List<Long> addresses = run(recorded, architecture, target);
    assertThat(run(recorded, architecture, target.withoutLoopHelper())).isEqualTo(addresses);
    return addresses;
  }

  private static List<Long> run(
      RecordedStack recorded, Architecture architecture, SimulatedTarget target) {
    BpfObject object = compiled(target);
    VirtualMachine machine = machine(object);
    UnwindMemory tables = new UnwindMemory(SIZES, new InMachine(machine));
    assertThat(tables.add(PID, 0, recorded.mappings(), other -> false)).isTrue();
    BpfProgram program = object.programs().get(0).program();
    machine.run(program, new byte[architecture.registersSize()], task(recorded, architecture));
    List<Long> addresses = new ArrayList<>();
    machine.map(":ustacks").forEach((id, values) -> addresses.addAll(addresses(values.get(0))));
    return addresses;
  }

  private static List<Long> addresses(byte[] trace) {
    ByteBuffer words = ByteBuffer.wrap(trace).order(ByteOrder.LITTLE_ENDIAN);
    long count = words.getLong() / Long.BYTES;
    return LongStream.generate(words::getLong).limit(count).boxed().toList();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static byte[] word(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  private static Task task(RecordedStack recorded, Architecture architecture) {
    Task task = Task.of(PID, "recorder");
    UserRegisters registers = recorded.registers();
    boolean isArm = architecture == Architecture.AARCH64;
    put(task, architecture, isArm ? "pc" : "rip", registers.pc());
    put(task, architecture, isArm ? "sp" : "rsp", registers.sp());
    put(task, architecture, isArm ? "x29" : "rbp", registers.fp());
    recorded.stack().forEach((address, value) -> put(task, AddressSpace.USER, address, value));
    return task;
  }

  private static void put(Task task, Architecture architecture, String register, long value) {
    int offset = architecture.registerOffset(register).orElseThrow();
    put(task, AddressSpace.KERNEL, Task.REGISTERS + offset, value);
  }

  private static void put(Task task, AddressSpace space, long address, long value) {
    SimulatedMemory unused = task.memory().put(space, address, word(value));
  }
}
