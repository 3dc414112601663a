package dev.ply.bpf.object;

import dev.ply.bpf.btf.TypedLoad;
import dev.ply.bpf.isa.Instruction;
import java.util.List;

/**
 * A program to be loaded: pure data, the same on every machine.
 *
 * @param name unique in its object; the kernel sees at most 15 characters of it
 * @param contextSize bytes of the context that may be read, from offset 0
 * @param words what the kernel takes the context's words for in programs that belong to one
 *     function, its result last; empty where that is not known, and they count as numbers
 * @param code the instructions with their marks, over the machine's registers only
 */
public record BpfProgram(
    String name, ProgramType type, int contextSize, List<TypedLoad> words, List<Instruction> code) {
  public BpfProgram {
    words = List.copyOf(words);
    code = List.copyOf(code);
  }

  /** A program whose context is only numbers, or not known better. */
  public BpfProgram(String name, ProgramType type, int contextSize, List<Instruction> code) {
    this(name, type, contextSize, List.of(), code);
  }

  /** Returns the program with other instructions. */
  public BpfProgram withCode(List<Instruction> code) {
    return new BpfProgram(name, type, contextSize, words, code);
  }

  /** Returns the program with the context of a function that the kernel knows by type. */
  public BpfProgram withWords(List<TypedLoad> words) {
    return new BpfProgram(name, type, contextSize, words, code);
  }

  /** Returns how long the code is, in slots of 8 bytes; wide loads take two. */
  public int slots() {
    int slots = 0;
    for (Instruction instruction : code) {
      slots += instruction.slots();
    }
    return slots;
  }
}
