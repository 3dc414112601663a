package dev.ply.bpf.vm;

import com.google.common.collect.MapMaker;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.vm.helper.HelperRuntime;
import dev.ply.bpf.vm.helper.SideEffect;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.interpret.CallStack;
import dev.ply.bpf.vm.interpret.Executable;
import dev.ply.bpf.vm.interpret.ExecutionState;
import dev.ply.bpf.vm.interpret.InterpretedProgram;
import dev.ply.bpf.vm.interpret.Interpreter;
import dev.ply.bpf.vm.interpret.LinkedProgram;
import dev.ply.bpf.vm.interpret.Linker;
import dev.ply.bpf.vm.interpret.StepCounter;
import dev.ply.bpf.vm.map.MapStore;
import dev.ply.bpf.vm.map.MapTable;
import dev.ply.bpf.vm.map.PerfEventStore;
import dev.ply.bpf.vm.map.RingBufferStore;
import dev.ply.bpf.vm.map.StackTraceStore;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import dev.ply.bpf.vm.memory.VmFault;
import dev.ply.bpf.vm.translate.TranslatedProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A little-endian BPF virtual machine with its own maps.
 *
 * <p>Programs are linked once, at their first run. Deterministic: equal machines, programs and
 * inputs give equal results. Not thread-safe.
 */
public final class VirtualMachine {
  private final int cpus;
  private final MachineMemory memory;
  private final MapTable maps;
  private final List<SideEffect> effects = new ArrayList<>();
  private final HelperRuntime helpers;
  private final ExecutionState state;
  private final Engine engine;
  private final Region context;
  private final Region rawMemory;
  // Guava's weak keys compare by identity, which spares hashing whole programs.
  private final Map<BpfProgram, Executable> linked = new MapMaker().weakKeys().makeMap();

  /**
   * Creates a machine with empty maps and the default options.
   *
   * @param maps of the programs' object
   * @param cpus at least 1
   */
  public VirtualMachine(List<BpfMap> maps, int cpus) {
    this(maps, cpus, VmOptions.DEFAULT);
  }

  /**
   * Creates a machine with empty maps.
   *
   * @param maps of the programs' object
   * @param cpus at least 1
   * @param options limits of a run
   */
  public VirtualMachine(List<BpfMap> maps, int cpus, VmOptions options) {
    this(maps, cpus, options, new MachineMemory(), new MapTable());
  }

  /**
   * Creates a machine with some maps of another one, whose address space it shares. Neither is
   * thread-safe, both together.
   *
   * @param maps of the programs' object
   * @param cpus the number of CPUs of the other machine
   * @param other the machine to share with
   * @param shared the names of maps to take from {@code other}
   */
  public VirtualMachine(List<BpfMap> maps, int cpus, VirtualMachine other, Set<String> shared) {
    this(maps, cpus, VmOptions.DEFAULT, other.memory, other.maps.only(shared));
  }

  private VirtualMachine(
      List<BpfMap> maps, int cpus, VmOptions options, MachineMemory memory, MapTable shared) {
    if (cpus < 1) {
      throw new IllegalArgumentException("a machine has at least one CPU, not " + cpus);
    }
    this.cpus = cpus;
    this.memory = memory;
    this.maps = new MapTable(maps, cpus, memory, shared);
    this.helpers = new HelperRuntime(memory, this.maps, options.randomSeed(), effects);
    this.state =
        new ExecutionState(
            memory, helpers, new CallStack(memory), new StepCounter(options.stepLimit()));
    this.engine = options.engine();
    this.context = memory.map(Region.Kind.CONTEXT, "", new byte[0]);
    this.rawMemory = memory.map(Region.Kind.MEMORY, "", new byte[0]);
  }

  /**
   * {@return the hash or array map {@code name}}
   *
   * @param name of a map that was given to the constructor
   */
  public MapStore map(String name) {
    return maps.named(MapStore.class, name);
  }

  /**
   * {@return a new map in an array of maps}
   *
   * @param outer the array's name
   * @param index where it is put
   */
  public MapStore insert(String outer, int index) {
    return maps.insert(outer, index, cpus, memory);
  }

  /**
   * {@return the ring buffer {@code name}}
   *
   * @param name of a map that was given to the constructor
   */
  public RingBufferStore ringBuffer(String name) {
    return maps.named(RingBufferStore.class, name);
  }

  /**
   * {@return the perf event array {@code name}}
   *
   * @param name of a map that was given to the constructor
   */
  public PerfEventStore perfEvents(String name) {
    return maps.named(PerfEventStore.class, name);
  }

  /**
   * {@return the stack trace map {@code name}}
   *
   * @param name of a map that was given to the constructor
   */
  public StackTraceStore stackTraces(String name) {
    return maps.named(StackTraceStore.class, name);
  }

  /** {@return and clears the side effects of programs, oldest first} */
  public List<SideEffect> takeEffects() {
    List<SideEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /** {@return the number of instructions executed in all runs, including faulting ones} */
  public long executedInstructions() {
    return state.counter().executed();
  }

  /**
   * Links a program ahead of its first run, and translates it if that is how it will run.
   *
   * @param program with machine registers
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
   * @param program with machine registers
   * @param context at least of the program's context size
   * @param task the current thread, and its memory
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
    Executable runnable = link(program);
    this.context.hold(context, program.contextSize());
    helpers.enter(task);
    return run(runnable, this.context.address());
  }

  /**
   * Runs instructions with the address of {@code memory} in r1 and its length in r2; returns r0.
   * They are linked, or translated, at each call.
   *
   * @param code with machine registers
   * @param memory can be written, too
   * @throws VmFault if the code faults
   */
  public long run(List<Instruction> code, byte[] memory) {
    Executable runnable = link(code);
    rawMemory.hold(memory, memory.length);
    helpers.enter(Task.of(0, ""));
    return run(runnable, rawMemory.address(), memory.length);
  }

  private long run(Executable program, long... arguments) {
    try {
      return program.run(arguments);
    } finally {
      helpers.abandon();
      memory.endRun();
      context.hold(new byte[0], 0);
      rawMemory.hold(new byte[0], 0);
    }
  }

  private Executable link(BpfProgram program) {
    return linked.computeIfAbsent(program, fresh -> link(fresh.code()));
  }

  private Executable link(List<Instruction> code) {
    LinkedProgram program = Linker.link(code, maps);
    Interpreter interpreter = new Interpreter(state);
    return switch (engine) {
      case INTERPRETER -> new InterpretedProgram(interpreter, program);
      case TRANSLATOR -> TranslatedProgram.of(program, state, interpreter);
    };
  }
}
