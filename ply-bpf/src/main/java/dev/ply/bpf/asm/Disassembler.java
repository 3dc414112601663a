package dev.ply.bpf.asm;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Prints programs in the kernel's notation, with symbolic labels, maps and helpers.
 *
 * <p>The notation is that of the verifier log and {@code bpftool prog dump xlated}; {@link
 * Assembler} parses it. Extensions: {@code btf[7]} (address of a kernel variable), {@code
 * mapidx[7]} and {@code mapidx[7][0]+8} (a map by {@code fd_array} index, an address in its value),
 * {@code subprog[f]} (address of a function), {@code v0} and {@code wv0} (a virtual register and
 * its lower half). To be parsed again, labels must not be names of helpers, and map names must not
 * contain brackets.
 */
public final class Disassembler {
  private static final int NOTE_COLUMN = 44;

  private Disassembler() {}

  /**
   * {@return one instruction as text; a label as {@code L1:}, a source span as a comment}
   *
   * @param instruction of any kind
   */
  public static String text(Instruction instruction) {
    return instruction.accept(InstructionText.INSTANCE);
  }

  /**
   * {@return a listing: one line per instruction, with its slot number, and one per label}
   *
   * @param code with labels and source marks
   */
  public static String listing(List<Instruction> code) {
    return listing(code, span -> Optional.empty());
  }

  /**
   * {@return a listing interleaved with source lines as comments}
   *
   * @param code with labels and source marks
   * @param sourceLine returns the first line of a span, if available
   */
  public static String listing(
      List<Instruction> code, Function<SourceSpan, Optional<String>> sourceLine) {
    return listing(code, sourceLine, index -> Optional.empty());
  }

  /**
   * {@return a listing interleaved with source lines, with a trailing comment per instruction}
   *
   * @param code with labels and source marks
   * @param sourceLine returns the first line of a span, if available
   * @param note returns the comment for a list index; pseudo-instructions count
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
        out.append(note.apply(index).map(comment -> withNote(line, comment)).orElse(line));
        out.append('\n');
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
