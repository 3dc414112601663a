package dev.ply.lang.events;

import dev.ply.machine.Architecture;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The registers that definitions name, by the kernel's names (regs_query_register_offset). */
public final class Registers {
  private static final List<String> LEGACY =
      List.of("ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "ip", "orig_ax");

  private Registers() {}

  /** Returns the member of struct pt_regs that a name means. */
  public static Optional<String> member(Architecture architecture, String name) {
    String member = architecture == Architecture.X86_64 ? x86(name) : name;
    return architecture.registerOffset(member).isPresent() ? Optional.of(member) : Optional.empty();
  }

  /** Returns the names of all registers. */
  public static Stream<String> names(Architecture architecture) {
    Stream<String> members = architecture.registers().stream();
    return architecture == Architecture.X86_64 ? members.map(Registers::kernel) : members;
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

  private static String x86(String name) {
    if (name.equals("flags")) {
      return "eflags";
    }
    if (LEGACY.contains(name)) {
      return name.equals("orig_ax") ? "orig_rax" : "r" + name;
    }
    // The members' own names are not the kernel's.
    return name.matches("r\\d+|[cs]s") ? name : "%" + name;
  }

  private static String kernel(String member) {
    return switch (member) {
      case "eflags" -> "flags";
      case "orig_rax" -> "orig_ax";
      default ->
          member.startsWith("r") && LEGACY.contains(member.substring(1))
              ? member.substring(1)
              : member;
    };
  }
}
