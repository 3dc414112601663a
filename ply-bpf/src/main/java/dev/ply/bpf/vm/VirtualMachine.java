package dev.ply.bpf.vm;

import com.google.common.collect.MapMaker;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A little-endian BPF machine with maps of its own.
 *
 * <p>Programs are linked at their first run and kept for later ones. Equal machines run equal
 * programs on equal input with equal results. A machine serves one thread at a time.
 */
public final class VirtualMachine {
  private final int cpus;
  private final MachineMemory memory = new MachineMemory();
  private final MapTable maps;
  private final List<Effect> effects = new ArrayList<>();
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

  /** Returns the entries of the hash or array map {@code name}. */
  public MapStore map(String name) {
    return maps.named(MapStore.class, name);
  }

  /** Returns the ring buffer {@code name}. */
  public RingBufferStore ringBuffer(String name) {
    return maps.named(RingBufferStore.class, name);
  }

  /** Returns the perf events of the array {@code name}. */
  public PerfEventStore perfEvents(String name) {
    return maps.named(PerfEventStore.class, name);
  }

  /** Returns the stack traces of the map {@code name}. */
  public StackTraceStore stackTraces(String name) {
    return maps.named(StackTraceStore.class, name);
  }

  /** Returns what programs did to the world since the last call, the oldest first. */
  public List<Effect> takeEffects() {
    List<Effect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /** Returns how many instructions were executed in all runs, faulting ones included. */
  public long executedInstructions() {
    return interpreter.executed();
  }

  /**
   * Links a program ahead of its first run.
   *
   * @throws VmFault of kind MALFORMED if a label, map or register is not there
   */
  public void prepare(BpfProgram program) {
    link(program);
  }

  /**
   * Runs a program with {@code context} in r1 and returns r0.
   *
   * <p>The program's loads reach the first {@code contextSize} bytes of the context, kernel probe
   * reads all of them.
   *
   * @throws VmFault if the program does what no correct program does
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
    LinkedProgram ready = link(program);
    this.context.hold(context, program.contextSize());
    helpers.enter(task);
    return run(ready, this.context.address());
  }

  /**
   * Runs instructions with the address of {@code memory}, which they may read and write, in r1 and
   * its length in r2, and returns r0.
   *
   * @throws VmFault if the code does what no correct program does
   */
  public long run(List<Instruction> code, byte[] memory) {
    LinkedProgram ready = Linker.link(code, maps);
    rawMemory.hold(memory, memory.length);
    helpers.enter(Task.of(0, ""));
    return run(ready, rawMemory.address(), memory.length);
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
