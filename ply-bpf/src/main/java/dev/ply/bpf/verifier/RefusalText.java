package dev.ply.bpf.verifier;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats violations: message, source line, instruction by slot number, and the registers it reads.
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
  /** A space before a register or stack slot, not one within its content. */
  private static final Pattern BETWEEN = Pattern.compile(" (?=r\\d+=|fp-\\d+=)");

  private RefusalText() {}

  /**
   * {@return all violations, separated by blank lines}
   *
   * @param code the program's instructions
   * @param report of the verification of this code
   * @param sourceLine returns the first line of a span, if available
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
    String state = relevantState(violation);
    if (!state.isEmpty()) {
      out.append("  with ").append(state).append('\n');
    }
    return out.toString();
  }

  /**
   * Returns the registers that the instruction reads, and the stack if one of them points there.
   */
  private static String relevantState(Violation violation) {
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
