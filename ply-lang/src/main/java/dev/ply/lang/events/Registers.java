package dev.ply.lang.events;

import dev.ply.machine.Architecture;
import java.util.Optional;
import java.util.stream.Stream;

/** The registers that definitions name, by the kernel's names (regs_query_register_offset). */
public final class Registers {
  private Registers() {}

  /** Returns the member of struct pt_regs that a name means. */
  public static Optional<String> member(Architecture architecture, String name) {
    return architecture.registerOfKernel(name);
  }

  /** Returns the names of all registers. */
  public static Stream<String> names(Architecture architecture) {
    return architecture.kernelNames().stream();
  }

  /** Returns the stack pointer's member of struct pt_regs. */
  public static String stackPointer(Architecture architecture) {
    return architecture
        .registers()
        .get(architecture.stackPointerOffset() / architecture.wordSize());
  }

  /** Returns the program counter's member of struct pt_regs. */
  public static String programCounter(Architecture architecture) {
    return architecture
        .registers()
        .get(architecture.programCounterOffset() / architecture.wordSize());
  }
}
