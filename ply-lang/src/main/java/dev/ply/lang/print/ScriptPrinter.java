package dev.ply.lang.print;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.CDeclaration;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.lang.ScriptParser;

/**
 * Prints scripts in canonical form: a statement per line, indented by two spaces, only necessary
 * parentheses, full names. {@link ScriptParser} parses the result.
 *
 * <p>Only the fluent API can express a whole map without {@code @} that is named like a built-in;
 * it has no textual form.
 */
public final class ScriptPrinter {
  private ScriptPrinter() {}

  /**
   * {@return a script as text, with a final newline and an empty line between probes}
   *
   * @param script parsed or built
   */
  public static String print(Script script) {
    StringBuilder out = new StringBuilder();
    appendSettings(out, script.configuration());
    for (TypeDefinition definition : script.definitions()) {
      out.append(CDeclaration.of(definition)).append('\n');
    }
    for (MapDeclaration declaration : script.declarations()) {
      out.append(declaration.text()).append('\n');
    }
    for (Clause clause : script.clauses()) {
      if (out.length() > 0) {
        out.append('\n');
      }
      out.append(clause.point().definition()).append(' ');
      clause
          .predicate()
          .ifPresent(
              predicate ->
                  out.append("/ ").append(ExpressionPrinter.print(predicate)).append(" / "));
      StatementWriter writer = new StatementWriter(out);
      writer.visit(clause.body());
      out.append('\n');
    }
    return out.toString();
  }

  /** Returns a statement as text, without a final newline. */
  static String print(Statement statement) {
    return statement.accept(new StatementWriter(new StringBuilder())).toString();
  }

  private static void appendSettings(StringBuilder out, Configuration settings) {
    if (settings.values().isEmpty()) {
      return;
    }
    out.append("config = {\n");
    settings
        .values()
        .forEach(
            (setting, value) ->
                out.append("  ")
                    .append(setting)
                    .append(" = ")
                    .append(ExpressionPrinter.print(new Expr.StringLiteral(value, SourceSpan.NONE)))
                    .append(";\n"));
    out.append("}\n");
  }

  /** Writes statements, each without its final newline. */
  private static final class StatementWriter implements Statement.Visitor<StringBuilder> {
    private final StringBuilder out;
    private int indent;

    StatementWriter(StringBuilder out) {
      this.out = out;
    }

    @Override
    public StringBuilder visit(Statement.Block node) {
      if (node.statements().isEmpty()) {
        return out.append("{ }");
      }
      out.append('{');
      indent++;
      for (Statement statement : node.statements()) {
        newLine();
        statement.accept(this);
      }
      indent--;
      newLine();
      return out.append('}');
    }

    private void newLine() {
      out.append('\n').append("  ".repeat(indent));
    }

    @Override
    public StringBuilder visit(Statement.If node) {
      out.append("if (").append(ExpressionPrinter.print(node.condition())).append(") ");
      visit(node.then());
      if (node.otherwise().statements().isEmpty()) {
        return out;
      }
      out.append(" else ");
      boolean isChain =
          node.otherwise().statements().size() == 1
              && node.otherwise().statements().get(0) instanceof Statement.If;
      return isChain ? node.otherwise().statements().get(0).accept(this) : visit(node.otherwise());
    }

    @Override
    public StringBuilder visit(Statement.Store node) {
      return assign(node.target(), ExpressionPrinter.print(node.value()));
    }

    @Override
    public StringBuilder visit(Statement.Aggregate node) {
      return assign(node.target(), print(node.aggregation()));
    }

    private StringBuilder assign(MapRef target, String value) {
      return out.append(ExpressionPrinter.print(target)).append(" = ").append(value).append(';');
    }

    private static String print(Aggregation aggregation) {
      return aggregation.function().canonicalName()
          + ExpressionPrinter.printArguments(aggregation.arguments());
    }

    @Override
    public StringBuilder visit(Statement.Delete node) {
      return out.append("delete ").append(ExpressionPrinter.print(node.target())).append(';');
    }

    @Override
    public StringBuilder visit(Statement.Assign node) {
      out.append(node.variable()).append(" = ");
      return out.append(ExpressionPrinter.print(node.value())).append(';');
    }

    @Override
    public StringBuilder visit(Statement.Declare node) {
      out.append("let ").append(node.variable());
      node.type().ifPresent(type -> out.append(": ").append(ExpressionPrinter.print(type)));
      node.value().ifPresent(value -> out.append(" = ").append(ExpressionPrinter.print(value)));
      return out.append(';');
    }

    @Override
    public StringBuilder visit(Statement.Update node) {
      out.append(ExpressionPrinter.print(node.target())).append(' ').append(node.op().symbol());
      return out.append("= ").append(ExpressionPrinter.print(node.value())).append(';');
    }

    @Override
    public StringBuilder visit(Statement.While node) {
      out.append("while (").append(ExpressionPrinter.print(node.condition())).append(") ");
      return visit(node.body());
    }

    @Override
    public StringBuilder visit(Statement.ForRange node) {
      out.append("for (").append(node.variable()).append(" : ");
      out.append(ExpressionPrinter.print(node.from())).append("..");
      out.append(ExpressionPrinter.print(node.to())).append(") ");
      return visit(node.body());
    }

    @Override
    public StringBuilder visit(Statement.ForEach node) {
      out.append("for (").append(node.variable()).append(" : ");
      out.append(ExpressionPrinter.print(node.map())).append(") ");
      return visit(node.body());
    }

    @Override
    public StringBuilder visit(Statement.Unroll node) {
      out.append("unroll (").append(ExpressionPrinter.print(node.count())).append(") ");
      return visit(node.body());
    }

    @Override
    public StringBuilder visit(Statement.Break node) {
      return out.append("break;");
    }

    @Override
    public StringBuilder visit(Statement.Continue node) {
      return out.append("continue;");
    }

    @Override
    public StringBuilder visit(Statement.Return node) {
      out.append("return");
      node.value().ifPresent(value -> out.append(' ').append(ExpressionPrinter.print(value)));
      return out.append(';');
    }

    @Override
    public StringBuilder visit(Statement.Evaluate node) {
      return out.append(ExpressionPrinter.print(node.expression())).append(';');
    }
  }
}
