package dev.ply.bpf.asm;

import dev.ply.bpf.asm.Token.Kind;
import dev.ply.bpf.isa.Instruction;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads programs as text, in either of two notations.
 *
 * <p>In both, a line holds an instruction, a label ({@code L1:}) or both, and a number in front
 * ({@code 12:}) is passed over.
 */
public final class Assembler {
  /** What sets one notation apart. */
  private record Dialect(
      LineScanner scanner, Function<TokenReader, Instruction> statement, boolean marksExit) {
    static final Dialect KERNEL =
        new Dialect(LineScanner.KERNEL, in -> new StatementParser(in).parse(), false);
    static final Dialect MNEMONICS =
        new Dialect(LineScanner.MNEMONICS, in -> new MnemonicParser(in).parse(), true);
  }

  private final Dialect dialect;
  private final String source;
  private final Diagnostics diagnostics = new Diagnostics();
  private final List<Instruction> code = new ArrayList<>();
  private final LabelTable labels = new LabelTable();

  private Assembler(Dialect dialect, String source) {
    this.dialect = dialect;
    this.source = source;
  }

  /**
   * Returns the instructions of {@code text} in the kernel's notation, as {@link Disassembler}
   * writes it: {@code r1 = 0x5} is a 64-bit immediate load and {@code r1 = 5} a move. Comments run
   * from {@code ;} or {@code //} on.
   *
   * @param source the name of the text in messages
   * @throws CompilationException with every line that is not an instruction, and every label that
   *     is marked twice or nowhere
   */
  public static List<Instruction> assemble(String source, String text) {
    return new Assembler(Dialect.KERNEL, source).run(text);
  }

  /**
   * Returns the instructions of {@code text} written as mnemonics with operands, {@code ldxw %r0,
   * [%r1+4]}: the notation of the bpf_conformance suite. Jumps lead to labels or over a number of
   * slots, {@code +1}; {@code exit} is the label of the first exit if nothing else is. Comments run
   * from {@code #} on.
   *
   * @param source the name of the text in messages
   * @throws CompilationException as {@link #assemble}
   */
  public static List<Instruction> assembleMnemonics(String source, String text) {
    return new Assembler(Dialect.MNEMONICS, source).run(text);
  }

  private List<Instruction> run(String text) {
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      try {
        readLine(new TokenReader(dialect.scanner.scan(source, number, line), labels));
      } catch (SyntaxException e) {
        diagnostics.error(
            DiagnosticCode.SYNTAX, e.span(), e.problem(), e.hints().toArray(new String[0]));
      }
    }
    if (dialect.marksExit) {
      labels.markExit();
    }
    labels.reportUnmarked(diagnostics);
    diagnostics.throwIfErrors();
    return labels.withMarks(code);
  }

  private void readLine(TokenReader in) {
    while (in.peekSecond().is(":")) {
      Token mark = in.take();
      in.expect(":");
      if (mark.kind() == Kind.WORD) {
        labels.mark(mark);
      } else if (mark.kind() != Kind.NUMBER) {
        throw new SyntaxException(
            mark.span(), "expected a label or a slot number before \":\", found " + mark);
      }
    }
    if (in.peek().kind() != Kind.END) {
      Instruction instruction = dialect.statement.apply(in);
      in.expectEnd();
      labels.pass(instruction);
      code.add(instruction);
    }
  }
}
