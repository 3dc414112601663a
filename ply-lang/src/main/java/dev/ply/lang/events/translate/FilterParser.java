package dev.ply.lang.events.translate;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.c.expression.ExpressionParser;
import dev.ply.lang.events.EventFilter;
import dev.ply.lang.events.Numbers;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.lang.events.translate.EventField.FilterValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Parses the expression of a filter as the kernel does: comparisons of fields with constants,
 * {@code &&}, {@code ||}, {@code !} and parentheses.
 */
final class FilterParser extends ExpressionParser<Expr, Reported> {
  private static final List<BinaryOp> LOGICAL = List.of(BinaryOp.LOGICAL_OR, BinaryOp.LOGICAL_AND);

  private static final List<String> OPERATORS = List.of("==", "!=", "<=", ">=", "<", ">", "&", "~");

  /** After the name of a field that is the address of a string in user space. */
  private static final String USER_STRING = ".ustring";

  /** Values that every event has, by the names of the kernel's fields. */
  private static final Map<String, Builtin> COMMON =
      Map.of(
          "common_pid",
          ThreadBuiltins.KPID,
          "CPU",
          ThreadBuiltins.CPU,
          "cpu",
          ThreadBuiltins.CPU,
          "COMM",
          ThreadBuiltins.COMM,
          "comm",
          ThreadBuiltins.COMM);

  private final EventFilter filter;
  private final Nodes nodes;
  private final FilterFields fields;
  private final Problems problems;
  private final String text;
  private int at;

  private FilterParser(EventFilter filter, Nodes nodes, FilterFields fields, Problems problems) {
    this.filter = filter;
    this.text = filter.source().text();
    this.at = filter.start();
    this.nodes = nodes;
    this.fields = fields;
    this.problems = problems;
  }

  /** Returns the condition on an event's fields. */
  static Expr condition(EventFilter filter, Nodes nodes, FilterFields fields, Problems problems)
      throws Reported {
    return new FilterParser(filter, nodes, fields, problems).parse();
  }

  private Expr parse() throws Reported {
    Expr condition = expression();
    if (at < text.length()) {
      throw problems.error(
          filter.span(at, text.length()),
          "the expression ends before this",
          "combine with && and ||");
    }
    return condition;
  }

  @Override
  protected Optional<BinaryOp> operator() {
    blanks();
    return LOGICAL.stream().filter(one -> text.startsWith(one.symbol(), at)).findFirst();
  }

  @Override
  protected Expr operation(BinaryOp operator, Expr left) throws Reported {
    at += operator.symbol().length();
    return nodes.binary(operator, left, right(operator));
  }

  @Override
  protected Reported tooDeep() {
    return problems.error(filter.span(at, at + 1), "this is nested more than " + DEEPEST + " deep");
  }

  @Override
  protected Expr operand() throws Reported {
    if (skip("!")) {
      return nodes.unary(UnaryOp.NOT, nested(this::operand));
    }
    if (!skip("(")) {
      return comparison();
    }
    Expr inner = expression();
    if (!skip(")")) {
      throw problems.error(
          filter.span(at, at + 1), "a parenthesis is not closed", "close it with \")\"");
    }
    return inner;
  }

  private Expr comparison() throws Reported {
    blanks();
    int begin = at;
    while (at < text.length() && isName(text.charAt(at))) {
      at++;
    }
    String name = text.substring(begin, at);
    int suffix = at;
    boolean isUser = text.startsWith(USER_STRING, at);
    if (isUser) {
      at += USER_STRING.length();
    } else if (text.startsWith(".", at)) {
      throw problems.error(
          filter.span(at, text.length()),
          "unknown suffix in a filter",
          "the only one is " + USER_STRING + ": filename.ustring ~ \"/etc/*\"");
    }
    FilterValue field = field(name, isUser, filter.span(begin, suffix));
    blanks();
    int operatorAt = at;
    Optional<String> operator = OPERATORS.stream().filter(this::skip).findFirst();
    if (operator.isEmpty()) {
      throw problems.error(
          filter.span(at, at + 1),
          "a comparison follows the name of a field",
          "operators are " + String.join(" ", OPERATORS));
    }
    blanks();
    SourceSpan operatorSpan = filter.span(operatorAt, operatorAt + operator.get().length());
    return field.isText()
        ? strings(field.value(), operator.get(), operatorSpan)
        : numbers(field.value(), operator.get(), operatorSpan);
  }

  private FilterValue field(String name, boolean isUser, SourceSpan span) throws Reported {
    Optional<FilterValue> known = fields.find(name, isUser, span);
    if (known.isPresent()) {
      return known.get();
    }
    Builtin common = COMMON.get(name);
    if (common != null) {
      return new FilterValue(nodes.call(common), common == ThreadBuiltins.COMM);
    }
    throw problems.error(
        span,
        name.isEmpty() ? "a field's name is missing" : "the event has no field \"" + name + "\"",
        Problems.nearest(
            name,
            Stream.concat(fields.names().stream(), COMMON.keySet().stream().sorted()),
            "fields are "
                + String.join(
                    ", ",
                    Stream.concat(fields.names().stream(), Stream.of("common_pid", "CPU", "COMM"))
                        .distinct()
                        .toList())));
  }

  private Expr numbers(Expr value, String operator, SourceSpan span) throws Reported {
    if (text.startsWith(CpuList.START, at)) {
      return processors(value, operator, span);
    }
    int begin = at;
    while (at < text.length()
        && (isName(text.charAt(at)) || (at == begin && text.charAt(at) == '-'))) {
      at++;
    }
    String digits = text.substring(begin, at);
    OptionalLong number =
        digits.startsWith("-") ? Numbers.signed(digits) : Numbers.unsigned(digits);
    if (number.isEmpty()) {
      throw problems.error(
          filter.span(begin, Math.max(at, begin + 1)),
          "a number is compared with a number",
          "7, 0x1f or -1");
    }
    Expr constant =
        number.getAsLong() < 0 && !digits.startsWith("-")
            ? new Expr.IntLiteral(number.getAsLong(), nodes.span())
            : nodes.number(number.getAsLong());
    if (operator.equals("&")) {
      return nodes.binary(
          BinaryOp.NE, nodes.binary(BinaryOp.AND, value, constant), nodes.number(0));
    }
    if (operator.equals("~")) {
      throw problems.error(span, "\"~\" compares strings", "numbers: == != < <= > >= &");
    }
    return nodes.binary(operator(operator).orElseThrow(), value, constant);
  }

  /** Compares a number with a list of CPUs. */
  private Expr processors(Expr value, String operator, SourceSpan span) throws Reported {
    int end = text.indexOf('}', at);
    if (!List.of("==", "!=", "&").contains(operator)) {
      throw problems.error(span, "CPUs are not ordered in filters", "CPUs: == != &");
    }
    int from = at + CpuList.START.length();
    Optional<CpuList> list = end < 0 ? Optional.empty() : CpuList.parse(text.substring(from, end));
    if (list.isEmpty()) {
      throw problems.error(
          filter.span(at, end < 0 ? text.length() : end + 1),
          end < 0 ? "a list of CPUs is not closed" : "invalid list of CPUs",
          "CPUS{0-3,8}, and CPUS{0-31:2/4} for two of each four");
    }
    at = end + 1;
    blanks();
    return list.get().compared(nodes, operator, value);
  }

  private Expr strings(Expr value, String operator, SourceSpan span) throws Reported {
    String pattern = string();
    boolean isGlob = operator.equals("~");
    if (!isGlob && !operator.equals("==") && !operator.equals("!=")) {
      throw problems.error(span, "strings are not ordered in filters", "strings: == != ~");
    }
    if (!isGlob) {
      return nodes.binary(
          operator.equals("!=") ? BinaryOp.NE : BinaryOp.EQ, value, nodes.text(pattern));
    }
    boolean isNegated = pattern.startsWith("!");
    Expr matches = nodes.matches(value, isNegated ? pattern.substring(1) : pattern);
    return isNegated ? nodes.unary(UnaryOp.NOT, matches) : matches;
  }

  /** Returns the string in quotes, or the word, that comes next. */
  private String string() throws Reported {
    char quote = at < text.length() ? text.charAt(at) : ' ';
    if (quote == '"' || quote == '\'') {
      int end = text.indexOf(quote, at + 1);
      if (end < 0) {
        throw problems.error(filter.span(at, text.length()), "a string is not closed");
      }
      String string = text.substring(at + 1, end);
      at = end + 1;
      blanks();
      return string;
    }
    int begin = at;
    while (at < text.length() && " \t)&|".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (at == begin) {
      throw problems.error(filter.span(at, at + 1), "a string follows", "\"…\"");
    }
    String word = text.substring(begin, at);
    blanks();
    return word;
  }

  private boolean skip(String token) {
    blanks();
    if (!text.startsWith(token, at) || (token.equals("&") && text.startsWith("&&", at))) {
      return false;
    }
    at += token.length();
    blanks();
    return true;
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private static boolean isName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
}
