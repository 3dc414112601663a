package dev.ply.bpf.asm;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.ir.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Writes programs in the kernel's notation, that of the verifier log and of {@code bpftool prog
 * dump xlated}, with names instead of numbers for labels, maps and helpers.
 *
 * <p>{@link Assembler} reads the text back. What the kernel's notation has no words for is written
 * {@code btf[7]} (a kernel variable's address), {@code mapidx[7]} and {@code mapidx[7][0]+8} (a map
 * by its index, an address in its value), {@code subprog[f]} (a function's address), {@code v0} and
 * {@code wv0} (a virtual register and its lower half). Labels should be words other than the names
 * of helpers, and names of maps free of brackets, or the text cannot be read back.
 */
public final class Disassembler {
  private static final int NOTE_COLUMN = 44;

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
    return listing(code, sourceLine, index -> Optional.empty());
  }

  /**
   * Returns such a listing with a comment behind instructions.
   *
   * @param note gives the comment of the instruction with that index in the list, marks counted
   */
  public static String listing(
      List<Instruction> code,
      Function<SourceSpan, Optional<String>> sourceLine,
      IntFunction<Optional<String>> note) {
    StringBuilder out = new StringBuilder();
    SourceSpan shown = SourceSpan.NONE;
    int slot = 0;
    for (int index = 0; index < code.size(); index++) {
      Instruction instruction = code.get(index);
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
        String line = String.format("%4d: %s", slot, text(instruction));
        out.append(note.apply(index).map(words -> withNote(line, words)).orElse(line)).append('\n');
      }
      slot += instruction.slots();
    }
    return out.toString();
  }

  private static String withNote(String line, String note) {
    return String.format("%-" + NOTE_COLUMN + "s ; %s", line, note);
  }

  private static boolean onSameLine(SourceSpan a, SourceSpan b) {
    return a.line() == b.line() && a.source().equals(b.source());
  }
}
