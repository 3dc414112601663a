package dev.ply.analysis.typing;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.target.TracepointFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Determines which fields of a tracepoint's record a clause reads, and whether it needs its site.
 */
public final class RecordUse implements Expr.Visitor<Void>, Statement.Visitor<Void> {
  /** A field whose value is known from the tracepoint's format. */
  private static final String TYPE_FIELD = "common_type";

  private final Map<String, SourceSpan> fields = new LinkedHashMap<>();
  private boolean whole;
  private boolean symbols;
  private Optional<SourceSpan> result = Optional.empty();

  private RecordUse() {}

  public static RecordUse of(Clause clause) {
    RecordUse use = new RecordUse();
    clause.predicate().ifPresent(predicate -> predicate.accept(use));
    clause.body().accept(use);
    return use;
  }

  /** Returns whether any part of the record is read. */
  public boolean isAny() {
    return whole || !fields.isEmpty();
  }

  /** Returns whether the clause needs to know the address that is probed. */
  public boolean needsSite() {
    return symbols;
  }

  /** Returns where the result of the probed function is first read as what it is. */
  public Optional<SourceSpan> result() {
    return result;
  }

  /** Returns the fields read by name, each with its first position. */
  public Map<String, SourceSpan> fields() {
    return fields;
  }

  /**
   * Returns the part of a format that the clause depends on; formats with equal parts can share a
   * program.
   */
  public Object dependsOn(TracepointFormat format) {
    if (whole) {
      return format;
    }
    List<Object> layout = new ArrayList<>();
    for (String field : fields.keySet()) {
      layout.add(format.field(field));
      if (field.equals(TYPE_FIELD)) {
        layout.add(format.id());
      }
    }
    return layout;
  }

  @Override
  public Void visit(Expr.IntLiteral node) {
    return null;
  }

  @Override
  public Void visit(Expr.StringLiteral node) {
    return null;
  }

  @Override
  public Void visit(Expr.Argument node) {
    return null;
  }

  @Override
  public Void visit(Expr.MapRead node) {
    return keys(node.map());
  }

  @Override
  public Void visit(Expr.Member node) {
    if (TypeMember.isContext(node.base())) {
      fields.putIfAbsent(node.name(), node.nameSpan());
      return null;
    }
    return node.base().accept(this);
  }

  @Override
  public Void visit(Expr.NamedConstant node) {
    return null;
  }

  @Override
  public Void visit(Expr.Element node) {
    node.base().accept(this);
    return node.index().accept(this);
  }

  @Override
  public Void visit(Expr.Tuple node) {
    node.elements().forEach(element -> element.accept(this));
    return null;
  }

  @Override
  public Void visit(Expr.Unary node) {
    return node.operand().accept(this);
  }

  @Override
  public Void visit(Expr.Binary node) {
    node.left().accept(this);
    return node.right().accept(this);
  }

  @Override
  public Void visit(Expr.Call node) {
    whole |= node.function() == ContextBuiltins.DATA;
    symbols |= node.function() == SymbolBuiltins.UADDR;
    if (node.function() == ContextBuiltins.RETVAL && ContextBuiltins.isTyped(node)) {
      result = result.or(() -> Optional.of(node.span()));
    }
    node.arguments().forEach(argument -> argument.accept(this));
    return null;
  }

  @Override
  public Void visit(Expr.Unknown node) {
    node.parts().forEach(part -> part.accept(this));
    return null;
  }

  @Override
  public Void visit(Expr.VariableRead node) {
    return null;
  }

  @Override
  public Void visit(Expr.Conditional node) {
    node.condition().accept(this);
    node.then().ifPresent(then -> then.accept(this));
    return node.otherwise().accept(this);
  }

  @Override
  public Void visit(Expr.Cast node) {
    return node.operand().accept(this);
  }

  @Override
  public Void visit(Expr.OffsetOf node) {
    return null;
  }

  @Override
  public Void visit(Expr.SizeOfType node) {
    return null;
  }

  @Override
  public Void visit(Expr.SizeOf node) {
    return node.operand().accept(this);
  }

  @Override
  public Void visit(Expr.Step node) {
    return node.target().accept(this);
  }

  @Override
  public Void visit(Expr.Block node) {
    node.statements().accept(this);
    return node.value().accept(this);
  }

  @Override
  public Void visit(Statement.Assign node) {
    return node.value().accept(this);
  }

  @Override
  public Void visit(Statement.Declare node) {
    node.value().ifPresent(value -> value.accept(this));
    return null;
  }

  @Override
  public Void visit(Statement.Update node) {
    keys(node.target());
    return node.value().accept(this);
  }

  @Override
  public Void visit(Statement.While node) {
    node.condition().accept(this);
    return node.body().accept(this);
  }

  @Override
  public Void visit(Statement.ForRange node) {
    node.from().accept(this);
    node.to().accept(this);
    return node.body().accept(this);
  }

  @Override
  public Void visit(Statement.ForEach node) {
    return node.body().accept(this);
  }

  @Override
  public Void visit(Statement.Unroll node) {
    return node.body().accept(this);
  }

  @Override
  public Void visit(Statement.Break node) {
    return null;
  }

  @Override
  public Void visit(Statement.Continue node) {
    return null;
  }

  @Override
  public Void visit(Statement.Block node) {
    node.statements().forEach(statement -> statement.accept(this));
    return null;
  }

  @Override
  public Void visit(Statement.If node) {
    node.condition().accept(this);
    node.then().accept(this);
    return node.otherwise().accept(this);
  }

  @Override
  public Void visit(Statement.Store node) {
    keys(node.target());
    return node.value().accept(this);
  }

  @Override
  public Void visit(Statement.Aggregate node) {
    keys(node.target());
    node.aggregation().arguments().forEach(argument -> argument.accept(this));
    return null;
  }

  @Override
  public Void visit(Statement.Delete node) {
    return keys(node.target());
  }

  @Override
  public Void visit(Statement.Return node) {
    node.value().ifPresent(value -> value.accept(this));
    return null;
  }

  @Override
  public Void visit(Statement.Evaluate node) {
    return node.expression().accept(this);
  }

  private Void keys(MapRef map) {
    map.keys().forEach(key -> key.accept(this));
    return null;
  }
}
