package dev.ply.lang.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.ir.Script;
import dev.ply.ir.generate.Scripts;
import dev.ply.lang.Parsing;
import dev.ply.lang.PlyScript;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptPrinterTest {
  @Provide
  Arbitrary<Script> scripts() {
    return Scripts.any();
  }

  @Property(tries = 200, generation = GenerationMode.RANDOMIZED, edgeCases = EdgeCasesMode.NONE)
  void whatIsPrintedIsReadBack(@ForAll("scripts") Script script) {
    Parsing.assertRoundTrip(script);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "usdt:4711:p:\"[ x]*\"",
        "usdt:4711:\"[,x]*\":\"[/x]\"",
        "usdt:4711:[[:alpha:]_]*:\"[]: kprobe:f +(b)\"",
        "uprobe:/bin/sh:\"[ x]*\""
      })
  void patternsWithSeparatorsInBracketsStayQuoted(String point) {
    Script script = PlyScript.parse(point + " { exit(); }");
    Parsing.assertRoundTrip(script);
    assertThat(ScriptPrinter.print(script)).startsWith(point);
  }

  @Test
  void statementsStandOnLinesOfTheirOwn() {
    assertThat(
            printed(
                """
                k:f /pid==1/ { if (uid) { @[comm]=count() } else if (gid) print(1);
                  else { delete m[1]; m[1]=2 } } t:a/b,BEGIN { }
                """))
        .isEqualTo(
            """
            kprobe:f / pid == 1 / {
              if (uid) {
                @[comm] = count();
              } else if (gid) {
                print(1);
              } else {
                delete m[1];
                m[1] = 2;
              }
            }

            tracepoint:a:b { }

            BEGIN { }
            """);
  }

  @Test
  void parenthesesStandOnlyWhereNeeded() {
    assertThat(printedExpression("((1+2))*3-(4-5)-(6*7)"))
        .isEqualTo("(1 + 2) * 3 - (4 - 5) - 6 * 7");
    assertThat(printedExpression("(1||2)&&(3|4)")).isEqualTo("(1 || 2) && 3 | 4");
    assertThat(printedExpression("-(1)+(!(2+3))")).isEqualTo("-1 + !(2 + 3)");
    assertThat(printedExpression("(*data).x")).isEqualTo("(*data).x");
    assertThat(printedExpression("*(data.x)")).isEqualTo("*data.x");
    assertThat(printedExpression("5--6")).isEqualTo("5 - -6");
    assertThat(printedExpression("- -6")).isEqualTo("- -6");
    assertThat(printedExpression("@n-- * 2")).isEqualTo("@n-- * 2");
    assertThat(printedExpression("@n-- - 2")).isEqualTo("@n-- - 2");
    assertThat(printedExpression("@n--6")).isEqualTo("@n - -6");
    assertThat(printedExpression("(int8)--@n")).isEqualTo("(int8)--@n");
  }

  @Test
  void stringsAreEscapedSoThatDigitsBehindStayDigits() {
    assertThat(printedExpression("\"\\0011\\\"\\\\\\n\"")).isEqualTo("\"\\0011\\\"\\\\\\n\"");
  }

  @Test
  void valuesHaveNoParenthesesAndFunctionsDo() {
    assertThat(printedExpression("execname()")).isEqualTo("comm");
    assertThat(printedExpression("exit")).isEqualTo("exit()");
  }

  private static String printed(String text) {
    return ScriptPrinter.print(PlyScript.parse(text));
  }

  private static String printedExpression(String text) {
    String printed = printed("BEGIN { m[1] = " + text + "; }");
    return printed.substring("BEGIN {\n  m[1] = ".length(), printed.length() - ";\n}\n".length());
  }
}
