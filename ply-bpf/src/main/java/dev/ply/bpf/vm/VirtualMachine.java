package dev.ply.bpf.vm;

import com.google.common.collect.MapMaker;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A little-endian BPF virtual machine with its own maps.
 *
 * <p>Programs are linked once, at their first run. Deterministic: equal machines, programs and
 * inputs give equal results. Not thread-safe.
 */
public final class VirtualMachine {
  private final int cpus;
  private final MachineMemory memory = new MachineMemory();
  private final MapTable maps;
  private final List<SideEffect> effects = new ArrayList<>();
  private final HelperRuntime helpers;
  private final Interpreter interpreter;
  private final Region context;
  private final Region rawMemory;
  // Guava's weak keys compare by identity, which spares hashing whole programs.
  private final Map<BpfProgram, LinkedProgram> linked = new MapMaker().weakKeys().makeMap();

  /** Creates a machine with empty maps and the default options. */
  public VirtualMachine(List<BpfMap> maps, int cpus) {
    this(maps, cpus, VmOptions.DEFAULT);
  }

  /** Creates a machine with empty maps. */
  public VirtualMachine(List<BpfMap> maps, int cpus, VmOptions options) {
    if (cpus < 1) {
      throw new IllegalArgumentException("a machine has at least one CPU, not " + cpus);
    }
    this.cpus = cpus;
    this.maps = new MapTable(maps, cpus, memory);
    this.helpers = new HelperRuntime(memory, this.maps, options.randomSeed(), effects);
    this.interpreter = new Interpreter(memory, helpers, options.stepLimit());
    this.context = memory.map(Region.Kind.CONTEXT, "", new byte[0]);
    this.rawMemory = memory.map(Region.Kind.MEMORY, "", new byte[0]);
  }

  /** Returns the hash or array map {@code name}. */
  public MapStore map(String name) {
    return maps.named(MapStore.class, name);
  }

  /** Returns the ring buffer {@code name}. */
  public RingBufferStore ringBuffer(String name) {
    return maps.named(RingBufferStore.class, name);
  }

  /** Returns the perf event array {@code name}. */
  public PerfEventStore perfEvents(String name) {
    return maps.named(PerfEventStore.class, name);
  }

  /** Returns the stack trace map {@code name}. */
  public StackTraceStore stackTraces(String name) {
    return maps.named(StackTraceStore.class, name);
  }

  /** Returns and clears the side effects of programs, oldest first. */
  public List<SideEffect> takeEffects() {
    List<SideEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /** Returns the number of instructions executed in all runs, including faulting ones. */
  public long executedInstructions() {
    return interpreter.executed();
  }

  /**
   * Links a program ahead of its first run.
   *
   * @throws VmFault of kind MALFORMED if a label or map is undefined or a register is invalid
   */
  public void prepare(BpfProgram program) {
    link(program);
  }

  /**
   * Runs a program with {@code context} in r1; returns r0.
   *
   * <p>Loads may access the first {@code contextSize} bytes of the context, kernel probe reads all.
   *
   * @throws VmFault if the program faults
   * @throws IllegalArgumentException if the context is shorter than the program's context size
   */
  public long run(BpfProgram program, byte[] context, Task task) {
    if (context.length < program.contextSize()) {
      throw new IllegalArgumentException(
          "program "
              + program.name()
              + " reads a context of "
              + program.contextSize()
              + " bytes, not "
              + context.length);
    }
    if (task.cpu() < 0 || task.cpu() >= cpus) {
      throw new IllegalArgumentException(
          "the machine has the CPUs 0 to " + (cpus - 1) + ", not " + task.cpu());
    }
    LinkedProgram runnable = link(program);
    this.context.hold(context, program.contextSize());
    helpers.enter(task);
    return run(runnable, this.context.address());
  }

  /**
   * Runs instructions with the address of {@code memory} in r1 and its length in r2; returns r0.
   *
   * @throws VmFault if the code faults
   */
  public long run(List<Instruction> code, byte[] memory) {
    LinkedProgram runnable = Linker.link(code, maps);
    rawMemory.hold(memory, memory.length);
    helpers.enter(Task.of(0, ""));
    return run(runnable, rawMemory.address(), memory.length);
  }

  private long run(LinkedProgram program, long... arguments) {
    try {
      return interpreter.run(program, arguments);
    } finally {
      helpers.abandon();
      memory.endRun();
      context.hold(new byte[0], 0);
      rawMemory.hold(new byte[0], 0);
    }
  }

  private LinkedProgram link(BpfProgram program) {
    return linked.computeIfAbsent(program, fresh -> Linker.link(fresh.code(), maps));
  }
}
