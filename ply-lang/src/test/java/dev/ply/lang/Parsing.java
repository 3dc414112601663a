package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Source;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.lang.print.ScriptPrinter;
import java.util.List;

/** Parses for tests. Every script that parses is printed and parsed again, and must stay equal. */
public final class Parsing {
  private Parsing() {}

  /** Returns the intermediate representation of a script, without the last newline. */
  static String ir(String text) {
    Script script = PlyScript.parse(text);
    assertRoundTrip(script);
    return IrPrinter.print(script).stripTrailing();
  }

  /** Returns the representation of the statements {@code text} in a BEGIN probe. */
  static String statements(String text) {
    String ir = ir("BEGIN { " + text + " }");
    return ir.equals("(clause BEGIN)")
        ? ""
        : ir.substring("(clause BEGIN ".length(), ir.length() - 1);
  }

  /** Returns the representation of the expression {@code text}. */
  static String expression(String text) {
    String ir = statements("m[1] = " + text + ";");
    return ir.substring("(store m (key 1) ".length(), ir.length() - 1);
  }

  /** Returns the messages about a text. */
  public static List<String> errors(String text) {
    return ScriptParser.parse(new Source("<input>", text)).diagnostics().stream()
        .map(Diagnostic::message)
        .toList();
  }

  /** Returns what people see of the faults of a text. */
  public static String rendered(Source source) {
    ParseResult result = ScriptParser.parse(source);
    return result.diagnostics().isEmpty()
        ? "none\n"
        : DiagnosticRenderer.render(result.diagnostics(), source);
  }

  public static void assertRoundTrip(Script script) {
    String printed = ScriptPrinter.print(script);
    Script again = PlyScript.parse(new Source("printed", printed));
    assertThat(IrPrinter.print(again)).as(printed).isEqualTo(IrPrinter.print(script));
    assertThat(ScriptPrinter.print(again)).isEqualTo(printed);
  }
}
