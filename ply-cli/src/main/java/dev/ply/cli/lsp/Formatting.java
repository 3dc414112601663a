package dev.ply.cli.lsp;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.print.ScriptFormatter;
import java.util.List;
import org.eclipse.lsp4j.TextEdit;

/** The layout of a document, as {@code ply bt --fmt} writes it. */
final class Formatting {
  private Formatting() {}

  /** Returns what changes; nothing in a script with syntax errors, whose layout is not known. */
  static List<TextEdit> of(Document document) {
    Source source = document.source();
    boolean isDamaged =
        source.text().length() > ScriptCheck.LONGEST
            || source.text().indexOf('\0') >= 0
            || ScriptParser.parse(source).diagnostics().stream()
                .anyMatch(
                    one -> one.severity() == Severity.ERROR && one.code() == DiagnosticCode.SYNTAX);
    if (isDamaged) {
      return List.of();
    }
    String formatted = ScriptFormatter.format(source);
    return formatted.equals(document.text())
        ? List.of()
        : List.of(new TextEdit(document.lines().range(0, document.text().length()), formatted));
  }
}
