package dev.ply.lang.declare;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.token.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/**
 * Removes the imports at the head of a script, {@code import "file";}, from its tokens, and reports
 * those that could not be read. Who has the script's file reads what it imports: parsing reads no
 * files.
 */
public final class ImportStatements {
  private final Positions positions;
  private final Diagnostics diagnostics;

  public ImportStatements(Positions positions, Diagnostics diagnostics) {
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns the paths that a script imports, in source order. */
  public static List<String> paths(Source source) {
    if (!source.text().contains("import")) {
      return List.of();
    }
    PlyLexer lexer = new PlyLexer(CharStreams.fromString(source.text(), source.name()));
    lexer.removeErrorListeners();
    return lexer.getAllTokens().stream()
        .filter(token -> token.getType() == PlyLexer.IMPORT)
        .map(ImportStatements::path)
        .distinct()
        .toList();
  }

  /** Returns the tokens of a source without its imports. */
  public List<Token> removeFrom(List<Token> all, Source source) {
    List<Token> rest = new ArrayList<>(all.size());
    boolean isHead = true;
    for (int i = 0; i < all.size(); i++) {
      Token token = all.get(i);
      isHead &= !beginsBody(token);
      if (token.getType() != PlyLexer.IMPORT) {
        rest.add(token);
        continue;
      }
      if (!isHead) {
        error(
            token,
            "an import comes before probes, macros, functions and declarations of maps",
            "move it to the head of the script");
      } else {
        report(token, source);
      }
      if (i + 1 < all.size() && all.get(i + 1).getType() == PlyLexer.SEMICOLON) {
        i++;
      } else {
        diagnostics.error(
            DiagnosticCode.SYNTAX, positions.after(token), "expected \";\" after this import");
      }
    }
    return rest;
  }

  private static boolean beginsBody(Token token) {
    return switch (token.getType()) {
      case PlyLexer.DEFINITION, PlyLexer.BEGIN, PlyLexer.END -> true;
      default ->
          switch (token.getText()) {
            case "macro", "fn", "let" -> true;
            default -> false;
          };
    };
  }

  private void report(Token token, Source source) {
    String path = path(token);
    Optional<Source.Import> known =
        source.imports().stream().filter(one -> one.path().equals(path)).findFirst();
    if (known.isEmpty() && Source.Import.isLibrary(path)) {
      return;
    }
    if (known.isEmpty()) {
      error(
          token,
          "imported files are not read here",
          "what parses the script has to provide them, as the commands ply and ply bt do");
    } else if (known.get().problem().isPresent()) {
      error(
          token,
          known.get().problem().get(),
          "files are looked for beside the script that imports them; scripts (.bt, .ply), headers"
              + " (.h) and directories with them can be imported");
    }
  }

  private void error(Token token, String message, String hint) {
    diagnostics.error(DiagnosticCode.SYNTAX, positions.of(token), message, hint);
  }

  private static String path(Token token) {
    String text = token.getText();
    return text.substring(firstQuote(text) + 1, text.length() - 1);
  }

  /** A comment before the path may have quotes, too. */
  private static int firstQuote(String text) {
    return text.lastIndexOf('"', text.length() - 2);
  }
}
