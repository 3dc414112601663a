package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.UNSET_VARIABLE;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.type.Dialect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Declares, at the start of the clause, variables that are read after the block that sets them. In
 * bpftrace before 0.22 a variable lived until the end of the clause, and scripts of that time use
 * it: they set one variable in both branches of an {@code if}, and print it afterwards.
 */
public final class OutlivedBlocks extends Walker {
  private final Deque<Set<String>> scopes = new ArrayDeque<>();

  /** The variables of blocks that have ended. */
  private final Set<String> ended = new HashSet<>();

  /** The variables that {@code let} and loops declare: their scope was always the block. */
  private final Set<String> declared = new HashSet<>();

  /** The first read of each variable after its block. */
  private final Map<String, SourceSpan> outlived = new LinkedHashMap<>();

  private OutlivedBlocks() {}

  public static Script apply(Script script, Diagnostics diagnostics) {
    return script.configuration().dialect() == Dialect.BPFTRACE
        ? script.withClauses(
            script.clauses().stream().map(clause -> apply(clause, diagnostics)).toList())
        : script;
  }

  private static Clause apply(Clause clause, Diagnostics diagnostics) {
    OutlivedBlocks blocks = new OutlivedBlocks();
    blocks.walk(clause.body());
    blocks.outlived.keySet().removeAll(blocks.declared);
    if (blocks.outlived.isEmpty()) {
      return clause;
    }
    List<Statement> statements = new ArrayList<>();
    blocks.outlived.forEach(
        (name, read) -> {
          statements.add(new Statement.Declare(name, Optional.empty(), Optional.empty(), read));
          diagnostics.warning(
              UNSET_VARIABLE,
              read,
              "variable \"" + name + "\" is read after the block that sets it",
              "it is 0 if no block has set it; declare it before: let " + name + ";");
        });
    statements.addAll(clause.body().statements());
    return new Clause(
        clause.point(),
        clause.pointSpan(),
        clause.predicate(),
        new Statement.Block(statements, clause.body().span()),
        clause.span());
  }

  @Override
  public Walker visit(Statement.Block node) {
    scopes.push(new HashSet<>());
    Walker unused = super.visit(node);
    ended.addAll(scopes.pop());
    return this;
  }

  @Override
  public Walker visit(Expr.Block node) {
    scopes.push(new HashSet<>());
    node.statements().statements().forEach(this::walk);
    walk(node.value());
    ended.addAll(scopes.pop());
    return this;
  }

  @Override
  public Walker visit(Statement.ForRange node) {
    declared.add(node.variable());
    return super.visit(node);
  }

  @Override
  public Walker visit(Statement.ForEach node) {
    declared.add(node.variable());
    return super.visit(node);
  }

  @Override
  public Walker visit(Statement.Assign node) {
    walk(node.value());
    if (!isInScope(node.variable())) {
      scopes.element().add(node.variable());
    }
    return this;
  }

  @Override
  public Walker visit(Statement.Declare node) {
    node.value().ifPresent(this::walk);
    declared.add(node.variable());
    return this;
  }

  @Override
  public Walker visit(Expr.VariableRead node) {
    if (!isInScope(node.name()) && ended.contains(node.name())) {
      outlived.putIfAbsent(node.name(), node.span());
    }
    return this;
  }

  private boolean isInScope(String name) {
    return scopes.stream().anyMatch(scope -> scope.contains(name));
  }
}
