package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.ir.Walker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Replaces the {@code return} statements of a function that is expanded where it is called: they
 * assign the result, and what follows them is in the other branch. Where a branch or a loop only
 * may return, a variable says whether it has.
 */
final class ReturnStatements {
  /** The maximum number of returns after each other: what follows each is nested in it. */
  private static final int DEEPEST = 32;

  /** The construct that a return leaves. */
  private enum Place {
    /** The function alone. */
    FUNCTION,
    /** A loop of it, first. */
    LOOP
  }

  private final String function;
  private final Optional<String> result;
  private final UnaryOperator<String> unused;
  private final Diagnostics diagnostics;

  /** The variable that is 1 once the function has returned, where one is needed. */
  private Optional<String> returned = Optional.empty();

  private int depth;

  /**
   * Creates the replacement.
   *
   * @param result the variable for the result; empty if missing
   * @param unused returns a new name that is similar to one
   */
  ReturnStatements(
      String function,
      Optional<String> result,
      UnaryOperator<String> unused,
      Diagnostics diagnostics) {
    this.function = function;
    this.result = result;
    this.unused = unused;
    this.diagnostics = diagnostics;
  }

  /**
   * Returns a function's statements without {@code return}.
   *
   * @param end of the function, where a value can be missing
   */
  List<Statement> lower(List<Statement> body, SourceSpan end) {
    if (result.isPresent() && !returns(body)) {
      diagnostics.error(
          DiagnosticCode.TYPE_MISMATCH,
          end,
          "function \"" + function + "\" can end without a value",
          "every path through it ends with return value;");
    }
    List<Statement> lowered = statements(body, Place.FUNCTION);
    if (returned.isPresent()) {
      // Every return has to set the variable, also those that were replaced before it was needed.
      List<Statement> all = new ArrayList<>();
      all.add(assign(returned.get(), new Expr.IntLiteral(0, end), end));
      all.addAll(statements(body, Place.FUNCTION));
      lowered = all;
    }
    reportOthers(lowered);
    return lowered;
  }

  /** Returns whether statements always return. */
  private static boolean returns(List<Statement> statements) {
    return statements.stream().anyMatch(ReturnStatements::returns);
  }

  private static boolean returns(Statement statement) {
    if (statement instanceof Statement.If choice) {
      return returns(choice.then()) && returns(choice.otherwise());
    }
    return statement instanceof Statement.Return
        || (statement instanceof Statement.Block block && returns(block.statements()));
  }

  /** Returns whether a statement can return. */
  private static boolean mayReturn(Statement statement) {
    if (statement instanceof Statement.If choice) {
      return mayReturn(choice.then()) || mayReturn(choice.otherwise());
    }
    if (statement instanceof Statement.Block block) {
      return block.statements().stream().anyMatch(ReturnStatements::mayReturn);
    }
    return statement instanceof Statement.Return
        || (statement instanceof Statement.Loop loop && mayReturn(loop.body()));
  }

  private List<Statement> statements(List<Statement> all, Place place) {
    Optional<Statement> next = all.stream().filter(ReturnStatements::mayReturn).findFirst();
    if (depth == DEEPEST && next.isPresent()) {
      diagnostics.error(
          DiagnosticCode.TOO_COMPLEX,
          next.get().span(),
          "function \"" + function + "\" returns from more than " + DEEPEST + " nested places",
          "code after a return is nested in its statement: use fewer returns");
      return List.of();
    }
    depth++;
    try {
      return lowered(all, place);
    } finally {
      depth--;
    }
  }

  private List<Statement> lowered(List<Statement> all, Place place) {
    List<Statement> lowered = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Statement one = all.get(i);
      if (!mayReturn(one)) {
        lowered.add(one);
        continue;
      }
      List<Statement> rest = all.subList(i + 1, all.size());
      if (one instanceof Statement.Return end) {
        leave(end, place, lowered);
      } else if (one instanceof Statement.If choice) {
        choose(choice, rest, place, lowered);
      } else if (one instanceof Statement.Block block && (returns(block) || rest.isEmpty())) {
        lowered.add(block(block.statements(), block.span(), place));
      } else {
        if (one instanceof Statement.Block block) {
          lowered.add(block(block.statements(), block.span(), place));
        } else if (one instanceof Statement.Loop loop) {
          lowered.add(
              loop.withBody(block(loop.body().statements(), loop.body().span(), Place.LOOP)));
        }
        unlessReturned(rest, one.span(), place, lowered);
      }
      return lowered;
    }
    return lowered;
  }

  private Statement.Block block(List<Statement> statements, SourceSpan span, Place place) {
    return new Statement.Block(statements(statements, place), span);
  }

  private void leave(Statement.Return end, Place place, List<Statement> lowered) {
    if (end.value().isPresent() != result.isPresent()) {
      diagnostics.error(
          DiagnosticCode.TYPE_MISMATCH,
          end.span(),
          "function \""
              + function
              + (result.isPresent() ? "\" returns a value" : "\" returns no value"),
          result.isPresent() ? "write return value;" : "write return; or declare its type");
    }
    if (result.isPresent() && end.value().isPresent()) {
      lowered.add(assign(result.get(), end.value().get(), end.value().get().span()));
    }
    returned.ifPresent(
        variable -> lowered.add(assign(variable, new Expr.IntLiteral(1, end.span()), end.span())));
    if (place == Place.LOOP) {
      lowered.add(new Statement.Break(end.span()));
    }
  }

  private void choose(
      Statement.If choice, List<Statement> rest, Place place, List<Statement> lowered) {
    List<Statement> then = new ArrayList<>(choice.then().statements());
    List<Statement> otherwise = new ArrayList<>(choice.otherwise().statements());
    boolean isDecided = returns(then) || returns(otherwise);
    if (isDecided && !returns(then)) {
      then.addAll(rest);
    } else if (isDecided && !returns(otherwise)) {
      otherwise.addAll(rest);
    }
    lowered.add(
        new Statement.If(
            choice.condition(),
            block(then, choice.then().span(), place),
            block(otherwise, choice.otherwise().span(), place),
            choice.span()));
    if (!isDecided) {
      unlessReturned(rest, choice.span(), place, lowered);
    }
  }

  private void unlessReturned(
      List<Statement> rest, SourceSpan span, Place place, List<Statement> lowered) {
    if (rest.isEmpty() && place != Place.LOOP) {
      return;
    }
    if (returned.isEmpty()) {
      returned = Optional.of(unused.apply("$returned"));
    }
    Expr hasReturned = new Expr.VariableRead(returned.get(), span);
    Statement.Block nothing = new Statement.Block(List.of(), span);
    if (place == Place.LOOP) {
      Statement.Block leave = new Statement.Block(List.of(new Statement.Break(span)), span);
      lowered.add(new Statement.If(hasReturned, leave, nothing, span));
      lowered.addAll(statements(rest, Place.LOOP));
    } else {
      Expr goesOn = new Expr.Unary(UnaryOp.NOT, hasReturned, span);
      lowered.add(new Statement.If(goesOn, block(rest, span, Place.FUNCTION), nothing, span));
    }
  }

  private static Statement assign(String variable, Expr value, SourceSpan span) {
    return new Statement.Assign(variable, span, value, span);
  }

  /** In the middle of an expression, and in unrolled statements, nothing can be left. */
  private void reportOthers(List<Statement> statements) {
    Walker search =
        new Walker() {
          @Override
          public Walker visit(Statement.Return node) {
            diagnostics.error(
                DiagnosticCode.SYNTAX,
                node.span(),
                "function \"" + function + "\" cannot return from here",
                "return stands in blocks, branches of if, while and for");
            return this;
          }
        };
    statements.forEach(search::walk);
  }
}
