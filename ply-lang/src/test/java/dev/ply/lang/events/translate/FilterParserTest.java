package dev.ply.lang.events.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.lang.events.EventFilter;
import dev.ply.lang.events.Problems;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Operators bind as in C, and any nesting is an expression or an error in words. */
class FilterParserTest {
  private static final FilterFields ONE_FIELD =
      new FilterFields() {
        @Override
        public Optional<EventField.FilterValue> find(String name, boolean isUser, SourceSpan span) {
          return Optional.of(
              new EventField.FilterValue(new Expr.VariableRead("$" + name, span), false));
        }

        @Override
        public List<String> names() {
          return List.of();
        }
      };

  private static Expr parse(String expression, Diagnostics diagnostics) throws Problems.Reported {
    return FilterParser.condition(
        EventFilter.of(new Source("filter", expression)),
        new Nodes(SourceSpan.NONE),
        ONE_FIELD,
        new Problems(diagnostics));
  }

  private static List<String> errors(String expression) {
    Diagnostics diagnostics = new Diagnostics();
    try {
      Expr unused = parse(expression, diagnostics);
    } catch (Problems.Reported e) {
      // The diagnostics have it.
    }
    return diagnostics.list().stream().map(Diagnostic::message).toList();
  }

  @Example
  void andBindsTighterThanOr() throws Exception {
    Expr parsed = parse("a == 1 || b == 2 && !(c == 3 || d == 4)", new Diagnostics());
    assertThat(parsed)
        .isInstanceOfSatisfying(
            Expr.Binary.class,
            or -> {
              assertThat(or.op()).isEqualTo(BinaryOp.LOGICAL_OR);
              assertThat(or.right())
                  .isInstanceOfSatisfying(
                      Expr.Binary.class,
                      and -> assertThat(and.op()).isEqualTo(BinaryOp.LOGICAL_AND));
            });
  }

  @Property(tries = 50)
  void anyNestingIsAnExpressionOrAnError(@ForAll @IntRange(max = 100_000) int depth) {
    for (String nested :
        List.of("(".repeat(depth) + "a == 1" + ")".repeat(depth), "!".repeat(depth) + "a == 1")) {
      assertThat(errors(nested))
          .isSubsetOf("this is nested more than 200 deep")
          .hasSize(depth < 200 ? 0 : 1);
    }
  }
}
