package dev.ply.lang.build;

import dev.ply.builtin.AggregateFunction;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.BuiltIns;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.misc.Interval;

/** Recognises the syntax of ply version 1, and shows the equivalent in version 2. */
final class VersionOne {
  private static final Pattern ARGUMENT = Pattern.compile("arg\\s*\\(\\s*(\\d)\\s*\\)");

  private VersionOne() {}

  /** {@code m[key] = nil;}, which removes an entry. */
  static void nil(PlyParser.ExpressionContext target, SourceSpan span, Diagnostics diagnostics) {
    nil(withoutDollar(text(target)), span, diagnostics);
  }

  /** {@code nil} without a known entry. */
  static void nil(String entry, SourceSpan span, Diagnostics diagnostics) {
    diagnostics.error(
        DiagnosticCode.UNKNOWN_NAME,
        span,
        "\"nil\" is ply version 1",
        "to remove an entry, write delete " + entry + ";");
  }

  /** {@code $m[key]}, an entry of a map. */
  static void map(String name, SourceSpan span, Diagnostics diagnostics) {
    diagnostics.error(
        DiagnosticCode.SYNTAX,
        span,
        "maps with \"$\" are ply version 1",
        "write " + name.substring(1) + "[…]");
  }

  /** {@code target.function(…)}, an aggregation. */
  static void method(
      PlyParser.AtomContext target,
      PlyParser.NamedMemberContext member,
      SourceSpan span,
      Diagnostics diagnostics) {
    String name = member.memberName().getText();
    Optional<AggregateFunction> aggregate = BuiltIns.aggregate(name);
    if (aggregate.isPresent()) {
      String map = withoutDollar(text(target));
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          span,
          "\"." + name + "\" is ply version 1: aggregations are assigned",
          "write "
              + (map.startsWith("@") ? "" : "@")
              + map
              + " = "
              + name
              + Quotation.shortened(
                  text(member.arguments()).replaceAll("\\$(\\w+)(?=\\s*\\[)", "$1"))
              + ";");
    } else {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          span,
          "members are not functions: \"" + name + "\" cannot be called",
          "functions stand alone: " + name + "(…)");
    }
  }

  /** {@code arg(0)}, an argument. */
  static void argument(PlyParser.AtomContext atom, SourceSpan span, Diagnostics diagnostics) {
    Matcher numbered = ARGUMENT.matcher(text(atom));
    diagnostics.error(
        DiagnosticCode.UNKNOWN_NAME,
        span,
        "\"arg\" is not defined",
        numbered.matches()
            ? "write arg" + numbered.group(1)
            : isStructure(atom) ? "did you mean \"args\"?" : "arguments are arg0, arg1, arg2, …");
  }

  private static boolean isStructure(PlyParser.AtomContext atom) {
    return atom.getParent() instanceof PlyParser.OperandContext operand
        && !operand.member().isEmpty()
        && operand.member(0) instanceof PlyParser.NamedMemberContext;
  }

  private static String withoutDollar(String text) {
    return text.startsWith("$") ? text.substring(1) : text;
  }

  private static String text(ParserRuleContext part) {
    Interval interval = Interval.of(part.getStart().getStartIndex(), part.getStop().getStopIndex());
    return part.getStart().getInputStream().getText(interval);
  }
}
