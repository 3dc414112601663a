package dev.ply.bpf.verifier;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.verifier.flow.CheckStructure;
import dev.ply.bpf.verifier.flow.Reachability;
import dev.ply.bpf.verifier.flow.StackUse;
import dev.ply.target.KernelTypes;
import java.util.List;
import java.util.function.Consumer;

/**
 * A verifier of BPF programs with the kernel's rules for privileged tracing programs.
 *
 * <p>Reports all violations. Like the kernel with CAP_PERFMON, allows pointers to leak into map
 * values and records. Unlike kernels from 6.3 on, rejects reads of uninitialised stack.
 */
public final class Verifier {
  private final ImmutableMap<String, BpfMap> maps;
  private final KernelTypes types;

  /**
   * Creates a verifier for programs that use {@code maps}, without kernel types.
   *
   * @param maps of the program's object
   */
  public Verifier(List<BpfMap> maps) {
    this(maps, KernelTypes.NONE);
  }

  /**
   * Creates a verifier for programs that use {@code maps}, on a kernel with the given types.
   *
   * <p>Types decide on loads from kernel structures; without types, every offset is accepted.
   *
   * @param maps of the program's object
   * @param types such as those of a BTF file
   */
  public Verifier(List<BpfMap> maps, KernelTypes types) {
    this.maps = Maps.uniqueIndex(maps, BpfMap::name);
    this.types = types;
  }

  /**
   * Verifies a program.
   *
   * @param program with machine registers
   * @return all violations; none if the program is accepted
   * @throws IllegalArgumentException if the program has no instructions or virtual registers
   */
  public VerificationReport verify(BpfProgram program) {
    return verify(program, Exploration.Trace.NONE);
  }

  /**
   * Verifies a program and reports every step on every path, up to a million.
   *
   * @param program with machine registers
   * @param trace receives the steps while the program is verified
   * @return all violations; none if the program is accepted
   * @throws IllegalArgumentException if the program has no instructions or virtual registers
   */
  public VerificationReport verify(BpfProgram program, Consumer<TraceStep> trace) {
    return verify(program, Exploration.Trace.to(program, trace));
  }

  private VerificationReport verify(BpfProgram program, Exploration.Trace trace) {
    List<Instruction> code = program.code();
    requireMachineCode(program);
    ViolationLog log = new ViolationLog(code);
    Reachability flow = new Reachability(code);
    new CheckStructure(flow, log).apply();
    StackUse stack = new StackUse(flow);
    new Exploration(program, flow, maps, types, stack, log, trace).run();
    stack.check(log);
    return new VerificationReport(log.violations(), program.slots(), stack.deepest());
  }

  private static void requireMachineCode(BpfProgram program) {
    if (program.slots() == 0) {
      throw new IllegalArgumentException("the program has no instructions");
    }
    for (Instruction instruction : program.code()) {
      RegisterUse use = RegisterUse.of(instruction);
      requireMachineRegisters(use.reads(), instruction);
      requireMachineRegisters(use.writes(), instruction);
    }
  }

  private static void requireMachineRegisters(List<Register> registers, Instruction instruction) {
    for (Register register : registers) {
      if (register.isVirtual()) {
        throw new IllegalArgumentException(
            register + " in " + instruction + " has no machine register yet");
      }
    }
  }
}
