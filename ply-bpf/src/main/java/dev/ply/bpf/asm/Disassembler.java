package dev.ply.bpf.asm;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.ir.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes programs in the kernel's notation, that of the verifier log and of {@code bpftool prog
 * dump xlated}, with names instead of numbers for labels, maps and helpers.
 *
 * <p>{@link Assembler} reads the text back. What the kernel's notation has no words for is written
 * {@code btf[7]} (a kernel variable's address), {@code subprog[f]} (a function's address), {@code
 * v0} and {@code wv0} (a virtual register and its lower half). Labels should be words other than
 * the names of helpers, and names of maps free of brackets, or the text cannot be read back.
 */
public final class Disassembler {
  private Disassembler() {}

  /**
   * Returns one instruction as text, {@code r0 = *(u64 *)(r6 +96)}; a label mark as {@code L1:}, a
   * source mark as a comment.
   */
  public static String text(Instruction instruction) {
    return instruction.accept(InstructionText.INSTANCE);
  }

  /** Returns a line for each instruction with its slot number in front, and one for each label. */
  public static String listing(List<Instruction> code) {
    return listing(code, span -> Optional.empty());
  }

  /**
   * Returns a listing with lines of the source in between, as comments: each before the first
   * instruction that was made from it.
   *
   * @param sourceLine gives the line on which a span starts, if it is at hand
   */
  public static String listing(
      List<Instruction> code, Function<SourceSpan, Optional<String>> sourceLine) {
    StringBuilder out = new StringBuilder();
    SourceSpan shown = SourceSpan.NONE;
    int slot = 0;
    for (Instruction instruction : code) {
      if (instruction instanceof LabelMark) {
        out.append(text(instruction)).append('\n');
      } else if (instruction instanceof SourceMark mark) {
        if (mark.span().isKnown() && !onSameLine(mark.span(), shown)) {
          sourceLine
              .apply(mark.span())
              .ifPresent(line -> out.append("; ").append(line.strip()).append('\n'));
        }
        shown = mark.span();
      } else {
        out.append(String.format("%4d: %s\n", slot, text(instruction)));
      }
      slot += instruction.slots();
    }
    return out.toString();
  }

  private static boolean onSameLine(SourceSpan a, SourceSpan b) {
    return a.line() == b.line() && a.source().equals(b.source());
  }
}
