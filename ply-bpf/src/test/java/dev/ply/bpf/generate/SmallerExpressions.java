package dev.ply.bpf.generate;

import static dev.ply.bpf.generate.SmallerScenarios.replace;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Effect;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What an expression becomes if it is one of its parts, a small number, or a part is smaller. */
final class SmallerExpressions implements Expr.Visitor<Stream<Expr>> {
  private static final SmallerExpressions VISITOR = new SmallerExpressions();

  static Stream<Expr> of(Expr expr) {
    boolean isEvent = expr instanceof Expr.Call call && Builtin.of(call).effect() == Effect.EVENT;
    Stream<Expr> plain =
        isEvent || expr instanceof Expr.StringLiteral
            ? Stream.empty()
            : Stream.of(number(0), number(1));
    return Stream.concat(plain, expr.accept(VISITOR));
  }

  private static Expr number(long value) {
    return new Expr.IntLiteral(value, SourceSpan.NONE);
  }

  /** Returns the list with one element smaller. */
  static Stream<List<Expr>> ofOne(List<Expr> list) {
    return IntStream.range(0, list.size())
        .boxed()
        .flatMap(i -> of(list.get(i)).map(one -> replace(list, i, one)));
  }

  @Override
  public Stream<Expr> visit(Expr.IntLiteral node) {
    return Stream.of(node.value() >>> 32, node.value() & 0xffff, node.value() & 0xff)
        .map(SmallerExpressions::number);
  }

  @Override
  public Stream<Expr> visit(Expr.StringLiteral node) {
    return Stream.of(new Expr.StringLiteral("", node.span()));
  }

  @Override
  public Stream<Expr> visit(Expr.Call node) {
    Stream<Expr> fewer =
        node.function() == EventBuiltins.PRINT && node.arguments().size() > 1
            ? SmallerScenarios.without(node.arguments())
                .filter(arguments -> !arguments.isEmpty())
                .map(arguments -> new Expr.Call(EventBuiltins.PRINT, arguments, node.span()))
            : Stream.empty();
    Stream<Expr> smaller =
        ofOne(node.arguments())
            .map(arguments -> new Expr.Call(node.function(), arguments, node.span()));
    return Stream.concat(fewer, smaller);
  }

  @Override
  public Stream<Expr> visit(Expr.Argument node) {
    return Stream.empty();
  }

  @Override
  public Stream<Expr> visit(Expr.MapRead node) {
    return Stream.concat(
        node.map().keys().stream(),
        SmallerStatements.keys(node.map()).map(map -> new Expr.MapRead(map, node.span())));
  }

  @Override
  public Stream<Expr> visit(Expr.Member node) {
    return Stream.empty();
  }

  @Override
  public Stream<Expr> visit(Expr.NamedConstant node) {
    return Stream.empty();
  }

  @Override
  public Stream<Expr> visit(Expr.Element node) {
    return of(node.index()).map(one -> new Expr.Element(node.base(), one, node.span()));
  }

  @Override
  public Stream<Expr> visit(Expr.Unknown node) {
    return Stream.empty();
  }

  @Override
  public Stream<Expr> visit(Expr.Tuple node) {
    return ofOne(node.elements()).map(elements -> new Expr.Tuple(elements, node.span()));
  }

  @Override
  public Stream<Expr> visit(Expr.Unary node) {
    return Stream.concat(
        Stream.of(node.operand()),
        of(node.operand()).map(one -> new Expr.Unary(node.op(), one, node.span())));
  }

  @Override
  public Stream<Expr> visit(Expr.Binary node) {
    return Stream.of(
            Stream.of(node.left(), node.right()),
            of(node.left())
                .map(left -> new Expr.Binary(node.op(), left, node.right(), node.span())),
            of(node.right())
                .map(right -> new Expr.Binary(node.op(), node.left(), right, node.span())))
        .flatMap(candidates -> candidates);
  }

  @Override
  public Stream<Expr> visit(Expr.VariableRead node) {
    return Stream.empty();
  }

  @Override
  public Stream<Expr> visit(Expr.Conditional node) {
    Stream<Expr> parts = Stream.concat(node.then().stream(), Stream.of(node.otherwise()));
    Stream<Expr> conditions =
        of(node.condition())
            .map(one -> new Expr.Conditional(one, node.then(), node.otherwise(), node.span()));
    Stream<Expr> then =
        node.then().stream()
            .flatMap(SmallerExpressions::of)
            .map(
                one ->
                    new Expr.Conditional(
                        node.condition(), Optional.of(one), node.otherwise(), node.span()));
    Stream<Expr> otherwise =
        of(node.otherwise())
            .map(one -> new Expr.Conditional(node.condition(), node.then(), one, node.span()));
    return Stream.of(parts, conditions, then, otherwise).flatMap(candidates -> candidates);
  }

  @Override
  public Stream<Expr> visit(Expr.Cast node) {
    return Stream.concat(
        Stream.of(node.operand()),
        of(node.operand()).map(one -> new Expr.Cast(node.type(), one, node.span())));
  }

  @Override
  public Stream<Expr> visit(Expr.SizeOfType node) {
    return Stream.empty();
  }

  @Override
  public Stream<Expr> visit(Expr.OffsetOf node) {
    return Stream.empty();
  }

  @Override
  public Stream<Expr> visit(Expr.SizeOf node) {
    return of(node.operand()).map(one -> new Expr.SizeOf(one, node.span()));
  }

  @Override
  public Stream<Expr> visit(Expr.Step node) {
    return Stream.of(node.target());
  }

  @Override
  public Stream<Expr> visit(Expr.Block node) {
    return of(node.value()).map(one -> new Expr.Block(node.statements(), one, node.span()));
  }

  /** Measures an expression: a smaller number is smaller, and any number than anything else. */
  static long size(Expr expr) {
    if (expr instanceof Expr.IntLiteral literal) {
      return 64 - Long.numberOfLeadingZeros(literal.value()) > 1 ? 2 : literal.value();
    }
    if (expr instanceof Expr.StringLiteral literal) {
      return 1L + literal.value().length();
    }
    if (expr instanceof Expr.Unary unary) {
      return 3 + size(unary.operand());
    }
    if (expr instanceof Expr.Binary binary) {
      return 3 + size(binary.left()) + size(binary.right());
    }
    if (expr instanceof Expr.MapRead read) {
      return 3 + SmallerStatements.size(read.map());
    }
    if (expr instanceof Expr.Tuple tuple) {
      return 3 + tuple.elements().stream().mapToLong(SmallerExpressions::size).sum();
    }
    if (expr instanceof Expr.Conditional choice) {
      long then = choice.then().map(SmallerExpressions::size).orElse(0L);
      return 4 + size(choice.condition()) + then + size(choice.otherwise());
    }
    if (expr instanceof Expr.Cast cast) {
      return 4 + size(cast.operand());
    }
    if (expr instanceof Expr.SizeOf size) {
      return 4 + size(size.operand());
    }
    if (expr instanceof Expr.Step step) {
      return 4 + size(step.target());
    }
    return expr instanceof Expr.Call call
        ? 3 + call.arguments().stream().mapToLong(SmallerExpressions::size).sum()
        : 3;
  }
}
