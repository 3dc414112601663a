package dev.ply.bpf.object;

import dev.ply.bpf.isa.Instruction;
import java.util.List;

/**
 * A program to be loaded: pure data, the same on every machine.
 *
 * @param name unique in its object; the kernel sees at most 15 characters of it
 * @param contextSize bytes of the context that may be read, from offset 0
 * @param code the instructions with their marks, over the machine's registers only
 */
public record BpfProgram(String name, ProgramType type, int contextSize, List<Instruction> code) {
  public BpfProgram {
    code = List.copyOf(code);
  }
}
