package dev.ply.bpf.verifier;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.ir.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Refusals for people to read: of each violation what is wrong, the line of source, the instruction
 * by its number in listings, and what the registers held that it reads.
 *
 * <pre>
 * error: r0 may be null: map_lookup_elem found nothing; test it first
 *   reads.ply:3:1
 *   | @[pid] = count();
 *   instruction 7: r1 = *(u64 *)(r0 +0)
 *   with r0=value(stats) or null
 * </pre>
 */
public final class RefusalText {
  /** A space before a register or a word of the stack; others belong to what one holds. */
  private static final Pattern BETWEEN = Pattern.compile(" (?=r\\d+=|fp-\\d+=)");

  private RefusalText() {}

  /**
   * Returns all violations, a blank line between them.
   *
   * @param code the program's instructions
   * @param sourceLine gives the line on which a span starts, if it is at hand
   */
  public static String render(
      List<Instruction> code,
      VerificationReport report,
      Function<SourceSpan, Optional<String>> sourceLine) {
    return report.violations().stream()
        .map(violation -> render(code, violation, sourceLine))
        .collect(Collectors.joining("\n"));
  }

  private static String render(
      List<Instruction> code,
      Violation violation,
      Function<SourceSpan, Optional<String>> sourceLine) {
    StringBuilder out = new StringBuilder("error: ").append(violation.message()).append('\n');
    violation.span().ifPresent(span -> out.append("  ").append(span).append('\n'));
    violation
        .span()
        .flatMap(sourceLine)
        .ifPresent(line -> out.append("  | ").append(line.strip()).append('\n'));
    int slot =
        code.subList(0, violation.instructionIndex()).stream().mapToInt(Instruction::slots).sum();
    out.append("  instruction ").append(slot).append(": ");
    out.append(Disassembler.text(violation.instruction())).append('\n');
    String state = stateThatMatters(violation);
    if (!state.isEmpty()) {
      out.append("  with ").append(state).append('\n');
    }
    return out.toString();
  }

  /**
   * Returns what the registers hold that the instruction reads, and the stack for those into it.
   */
  private static String stateThatMatters(Violation violation) {
    Set<String> read =
        RegisterUse.reads(violation.instruction()).stream()
            .map(register -> register + "=")
            .collect(Collectors.toSet());
    List<String> parts = BETWEEN.splitAsStream(violation.state()).toList();
    List<String> registers =
        parts.stream()
            .filter(part -> read.contains(part.substring(0, part.indexOf('=') + 1)))
            .toList();
    boolean intoStack = registers.stream().anyMatch(part -> part.contains("=fp"));
    return parts.stream()
        .filter(part -> registers.contains(part) || (intoStack && part.startsWith("fp")))
        .collect(Collectors.joining(" "));
  }
}
