package dev.ply.bpf.verifier;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.target.KernelTypes;
import java.util.List;
import java.util.function.Consumer;

/**
 * Judges programs as the kernel does when a privileged process loads them, and gives all reasons of
 * a refusal.
 *
 * <p>Like the kernel, for privileged processes (CAP_PERFMON) it allows pointers to be written into
 * map values and records, although that shows kernel addresses to whoever reads them. Unlike
 * kernels from 6.3 on, it refuses reads of stack that was never written.
 */
public final class Verifier {
  private final ImmutableMap<String, BpfMap> maps;
  private final KernelTypes types;

  /** Creates a verifier of programs that use these maps. */
  public Verifier(List<BpfMap> maps) {
    this(maps, KernelTypes.NONE);
  }

  /**
   * Creates a verifier of programs that use these maps, for a kernel with these types: what they
   * load from its structures is judged by them. Without them such loads are not followed, and any
   * offset is taken for right.
   */
  public Verifier(List<BpfMap> maps, KernelTypes types) {
    this.maps = Maps.uniqueIndex(maps, BpfMap::name);
    this.types = types;
  }

  /**
   * Judges a program.
   *
   * @throws IllegalArgumentException if the program has no instructions or virtual registers
   */
  public VerificationReport verify(BpfProgram program) {
    return verify(program, Exploration.Trace.NONE);
  }

  /**
   * Judges a program and shows every step of the way: each instruction on each path with what is
   * known before and behind it. Programs with loops have up to a million.
   *
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
