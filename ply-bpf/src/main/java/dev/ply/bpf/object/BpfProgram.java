package dev.ply.bpf.object;

import dev.ply.bpf.btf.TypedLoad;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.WideSource;
import java.util.List;
import java.util.Optional;

/**
 * A program to be loaded: pure data, the same on every machine.
 *
 * @param name unique in its object; truncated to 15 characters in the kernel
 * @param type as in enum bpf_prog_type, and where it attaches
 * @param contextSize the number of context bytes that can be read, from offset 0
 * @param words the verifier's types of the context's words in programs bound to a function, the
 *     result last; empty where unknown, then they are numbers
 * @param code the instructions with source marks, over machine registers only
 */
@SuppressWarnings("exports") // parts of it are for the other modules
public record BpfProgram(
    String name, ProgramType type, int contextSize, List<TypedLoad> words, List<Instruction> code) {
  /** The number of maps that a program can use (MAX_USED_MAPS in include/linux/bpf_verifier.h). */
  public static final int MOST_MAPS = 64;

  /** Copies the lists. */
  public BpfProgram {
    words = List.copyOf(words);
    code = List.copyOf(code);
  }

  /**
   * A program with an untyped context.
   *
   * @param name unique in its object
   * @param type as in enum bpf_prog_type
   * @param contextSize in bytes
   * @param code over machine registers only
   */
  public BpfProgram(String name, ProgramType type, int contextSize, List<Instruction> code) {
    this(name, type, contextSize, List.of(), code);
  }

  /**
   * {@return this program with other instructions}
   *
   * @param code over machine registers only
   */
  public BpfProgram withCode(List<Instruction> code) {
    return new BpfProgram(name, type, contextSize, words, code);
  }

  /**
   * {@return this program with a context of these types}
   *
   * @param words in the order of the context; empty where unknown
   */
  public BpfProgram withWords(List<TypedLoad> words) {
    return new BpfProgram(name, type, contextSize, words, code);
  }

  /** {@return the map that an instruction refers to by name, if any} */
  public static Optional<String> mapOf(Instruction instruction) {
    if (instruction instanceof Instruction.LoadWide load) {
      if (load.source() instanceof WideSource.Map map) {
        return Optional.of(map.name());
      }
      if (load.source() instanceof WideSource.MapValue value) {
        return Optional.of(value.name());
      }
    }
    return Optional.empty();
  }

  /** {@return the length of the code in 8-byte slots; wide loads occupy two} */
  public int slots() {
    int slots = 0;
    for (Instruction instruction : code) {
      slots += instruction.slots();
    }
    return slots;
  }
}
