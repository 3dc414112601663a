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
 * Parses assembly text in either of two notations.
 *
 * <p>In both, a line holds an instruction, a label ({@code L1:}) or both; a leading slot number
 * ({@code 12:}) is ignored.
 */
public final class Assembler {
  /** The rules of one notation. */
  private record Dialect(
      LineScanner scanner, Function<TokenReader, Instruction> statement, boolean definesExit) {
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
   * Parses the kernel's notation, as {@link Disassembler} prints it.
   *
   * <p>{@code r1 = 0x5} is a 64-bit immediate load, {@code r1 = 5} a move. Comments start with
   * {@code ;} or {@code //}.
   *
   * @param source the name of the text in messages
   * @param text one instruction or label per line
   * @return the instructions, with source marks for their lines
   * @throws CompilationException with every line that is not an instruction, and every label that
   *     is undefined or defined twice
   */
  public static List<Instruction> assemble(String source, String text) {
    return new Assembler(Dialect.KERNEL, source).run(text);
  }

  /**
   * Parses mnemonics with operands ({@code ldxw %r0, [%r1+4]}), the bpf_conformance notation.
   *
   * <p>Jumps target labels or a distance in slots ({@code +1}); unless defined, {@code exit} is the
   * label of the first exit. Comments start with {@code #}.
   *
   * @param source the name of the text in messages
   * @param text one instruction or label per line
   * @return the instructions, with source marks for their lines
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
    if (dialect.definesExit) {
      labels.defineExit();
    }
    labels.reportUndefined(diagnostics);
    diagnostics.throwIfErrors();
    return labels.insertInto(code);
  }

  private void readLine(TokenReader in) {
    while (in.peekSecond().is(":")) {
      Token label = in.take();
      in.expect(":");
      if (label.kind() == Kind.WORD) {
        labels.define(label);
      } else if (label.kind() != Kind.NUMBER) {
        throw new SyntaxException(
            label.span(), "expected a label or a slot number before \":\", found " + label);
      }
    }
    if (in.peek().kind() != Kind.END) {
      Instruction instruction = dialect.statement.apply(in);
      in.expectEnd();
      labels.advance(instruction);
      code.add(instruction);
    }
  }
}
