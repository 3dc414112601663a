package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import java.util.List;

/**
 * A function of a program beside its main one, over virtual registers.
 *
 * @param code after the label of its entry
 * @param stackUsed the bytes of its stack in use, without spilled registers
 * @param depth the number of functions, the program included, that are active when it is called
 * @param isOptimized whether its code is as short as the optimiser would make it
 */
public record CompiledFunction(
    Label entry, List<Instruction> code, int stackUsed, int depth, boolean isOptimized) {
  public CompiledFunction {
    code = List.copyOf(code);
  }
}
