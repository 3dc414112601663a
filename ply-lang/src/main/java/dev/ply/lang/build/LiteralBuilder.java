package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.syntax.SyntaxProblem;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.lang.token.Positions;
import dev.ply.type.TextBytes;
import java.util.Locale;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/** Builds literals: numbers, characters and strings. */
final class LiteralBuilder {
  private final Positions positions;
  private final Diagnostics diagnostics;

  LiteralBuilder(Positions positions, Diagnostics diagnostics) {
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns a number, a cast to its type if its suffix names one. */
  Expr number(PlyParser.NumberContext context) {
    SourceSpan span = positions.of(context);
    Optional<Long> value = LiteralDecoder.number(context.getText());
    if (value.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.OUT_OF_RANGE,
          span,
          "the number " + Quotation.shortened(context.getText()) + " does not fit in 64 bits",
          "the largest is 18446744073709551615");
      return new Expr.Unknown(span);
    }
    if (LiteralDecoder.isCutOctal(context.getText())) {
      diagnostics.warning(
          DiagnosticCode.OUT_OF_RANGE,
          span,
          "octal numbers have digits up to 7: "
              + Quotation.shortened(context.getText())
              + " is "
              + value.get(),
          "a decimal number does not begin with 0: "
              + LiteralDecoder.withoutZeros(context.getText()));
    }
    Expr literal = new Expr.IntLiteral(value.get(), span);
    return LiteralDecoder.suffixType(context.getText(), value.get())
        .<Expr>map(type -> new Expr.Cast(type, literal, span))
        .orElse(literal);
  }

  /** Returns a number that has a minus sign before it: the least one of 64 bits is signed. */
  Expr negated(PlyParser.NumberContext context) {
    String text = context.getText();
    Optional<Long> value = LiteralDecoder.number(text);
    boolean isSigned = !text.startsWith("0") && text.toLowerCase(Locale.ROOT).indexOf('u') < 0;
    if (value.isEmpty() || value.get() >= 0 || !isSigned) {
      return number(context);
    }
    if (value.get() == Long.MIN_VALUE) {
      return new Expr.IntLiteral(value.get(), positions.of(context));
    }
    diagnostics.error(
        DiagnosticCode.OUT_OF_RANGE,
        positions.of(context),
        "the number -" + Quotation.shortened(text) + " does not fit in 64 bits",
        "the least is -9223372036854775808");
    return new Expr.Unknown(positions.of(context));
  }

  /** Returns a character as its byte. */
  Expr character(PlyParser.CharacterContext context) {
    String text = context.getText();
    boolean isClosed = text.length() > 2 && text.endsWith("'");
    byte[] bytes =
        isClosed
            ? TextBytes.encode(LiteralDecoder.unescaped(text.substring(1, text.length() - 1)))
            : new byte[0];
    if (bytes.length == 1) {
      return new Expr.IntLiteral(bytes[0] & 0xff, positions.of(context));
    }
    return badWord(context.getStart(), positions.of(context));
  }

  Expr string(PlyParser.StringContext context) {
    return new Expr.StringLiteral(LiteralDecoder.string(context.getText()), positions.of(context));
  }

  /** Reports a token that no literal is. */
  Expr badWord(Token word, SourceSpan span) {
    SyntaxProblem.ofWord(word)
        .ifPresent(
            finding ->
                diagnostics.error(
                    DiagnosticCode.SYNTAX,
                    span,
                    finding.message(),
                    finding.hints().toArray(String[]::new)));
    return new Expr.Unknown(span);
  }
}
