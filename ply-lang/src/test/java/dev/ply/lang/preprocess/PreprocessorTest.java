package dev.ply.lang.preprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.print.ScriptPrinter;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PreprocessorTest {
  private static String body(String statements) {
    return "BEGIN { " + statements + " }";
  }

  /** Two scripts mean the same. */
  private static void assertSame(String script, String plain) {
    assertThat(ScriptPrinter.print(parse(script))).isEqualTo(ScriptPrinter.print(parse(plain)));
  }

  private static Script parse(String text) {
    return PlyScript.parse(text);
  }

  private static List<Diagnostic> errors(String text) {
    return ScriptParser.parse(new Source("x.ply", text)).diagnostics();
  }

  @Test
  void aMacroStandsForItsTokens() {
    assertSame("#define LIMIT 40 + 2\n" + body("print(LIMIT * 2);"), body("print(40 + 2 * 2);"));
  }

  @Test
  void aMacroMayNameAnother() {
    assertSame("#define A B\n#define B (pid)\n" + body("print(A);"), body("print((pid));"));
  }

  @Test
  void aMacroIsNotExpandedInsideOfItself() {
    assertThat(errors("#define loop loop\n" + body("print(loop);"))).hasSize(1);
  }

  @Test
  void whatDoublesEndsSoon() {
    StringBuilder bomb = new StringBuilder("#define M0 pid + pid\n");
    for (int i = 1; i < 64; i++) {
      bomb.append("#define M" + i + " M" + (i - 1) + " + M" + (i - 1) + "\n");
    }
    assertThat(errors(bomb + body("print(M63);")))
        .extracting(Diagnostic::message)
        .containsExactly("this expression is nested more than 256 deep");
  }

  @Test
  void aDefinitionMayContinueOnTheNextLine() {
    assertSame("#define N 1 + \\\n 2 // comment\n" + body("print(N);"), body("print(1 + 2);"));
  }

  @Test
  void whatIsUndefinedIsAName() {
    assertThat(errors("#define N 1\n#undef N\n" + body("print(N);"))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#if 1|1",
        "#if 0|2",
        "#if 2 > 1 && !defined(X)|1",
        "#if defined X|2",
        "#if AF_INET6 == 10|1",
        "#if (1 << 4) - 0x10|2",
        "#ifdef BPFTRACE_HAVE_BTF|1",
        "#ifndef BPFTRACE_HAVE_BTF|2",
        "#if 0~#elif 1|1",
      })
  void aConditionChooses(String condition, int chosen) {
    String script =
        condition.replace('~', '\n')
            + "\nBEGIN { print(1); }\n#else\nBEGIN { print(2); }\n#endif\n";
    assertSame(script, "BEGIN { print(" + chosen + "); }");
  }

  @Test
  void conditionsNest() {
    assertSame(
        "#if 1\nBEGIN { print(1); }\n#else\n#if 1\n}{\n#endif\nBEGIN { print(2); }\n#endif\n",
        "BEGIN { print(1); }");
  }

  @Test
  void positionsStay() {
    List<Diagnostic> errors =
        errors("#define N 12345\n#if 0\nnonsense {\n#endif\nBEGIN { print(N, nosuch); }");
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0).span().line()).isEqualTo(5);
    assertThat(errors.get(0).span().column()).isEqualTo(18);
  }

  @Test
  void anErrorInAMacroIsWhereTheMacroIsUsed() {
    List<Diagnostic> errors = errors("#define LIMIT nosuch\n" + body("print(LIMIT);"));
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0).span().line()).isEqualTo(2);
    assertThat(errors.get(0).span().endColumn() - errors.get(0).span().column()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#if (pid == 3)\nBEGIN { print(1); }\n",
        "# if there is an #endif in prose\nBEGIN { print(1); }\n",
        "#else\nBEGIN { print(1); }\n",
        "#endif\nBEGIN { print(1); }\n",
        "#include <linux/sched.h>\nBEGIN { print(1); }\n",
        "#include <signal.h>\n#include \"net/sock.h\"\nBEGIN { print(1); }\n",
        "#include kernel/sched/sched.h\nBEGIN { print(1); }\n",
        "#if 0\n#include \"missing.h\"\n#endif\nBEGIN { print(1); }\n",
        "/* a comment\n#define print 5\n#endif */\nBEGIN { print(1); }\n",
        "BEGIN { print(1); } // /* #endif\n",
      })
  void theseAreComments(String script) {
    assertSame(script, "BEGIN { print(1); }");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "#define|#define has no name",
        "#define F(x|the parameters of \"F\" are not closed",
        "#define F(1) x|unexpected \"1\" among the parameters",
        "#if 1 +~#endif|cannot evaluate the condition of #if",
        "#if 1 / 0~#endif|cannot evaluate the condition of #if: this divides by zero",
        "#if~#endif|cannot evaluate the condition of #if: #if has no condition",
      })
  void mistakesAreReported(String directives, String message) {
    List<Diagnostic> errors =
        errors(directives.replace('~', '\n') + "\n#define X 1\nBEGIN { print(1); }");
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0).message()).isEqualTo(message);
  }

  @Property
  void anyTextIsAnswered(@ForAll("texts") String text) {
    assertThat(ScriptParser.parse(new Source("x.ply", text)).diagnostics()).isNotNull();
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "#define A B",
            "#define B A A",
            "#if A",
            "#if defined(",
            "#else",
            "#endif",
            "#elif 1",
            "A",
            "\\\n",
            "\n",
            "/*",
            "*/",
            "\"",
            "BEGIN { print(A); }",
            "#undef A",
            " ")
        .list()
        .ofMaxSize(30)
        .map(pieces -> String.join("", pieces));
  }

  private static Source including(String text, Source.Import header) {
    return new Source("x.ply", text).withImports(List.of(header));
  }

  @Test
  void aHeaderBesideTheScriptIsRead() {
    Source header = new Source("own.h", "#define SIZE 3\nstruct own { int a[SIZE]; };");
    Source script =
        including(
            "#include \"own.h\"\nBEGIN { print(sizeof(struct own) + SIZE); }",
            new Source.Import("own.h", List.of(header), Optional.empty()));
    assertThat(ScriptPrinter.print(ScriptParser.parse(script).orThrow()))
        .isEqualTo(
            ScriptPrinter.print(
                parse("struct own { int a[3]; }; BEGIN { print(sizeof(struct own) + 3); }")));
  }

  @Test
  void aHeaderThatIsExcludedIsNotRead() {
    Source header = new Source("own.h", "#define SIZE 3\nBEGIN { print(1); }");
    Source script =
        including(
            "#if 0\n#include \"own.h\"\n#endif\nBEGIN { print(2); }",
            new Source.Import("own.h", List.of(header), Optional.empty()));
    assertThat(ScriptPrinter.print(ScriptParser.parse(script).orThrow()))
        .isEqualTo(ScriptPrinter.print(parse("BEGIN { print(2); }")));
  }

  @Test
  void macrosBeforeAnIncludeAreThoseOfTheHeader() {
    Source header = new Source("own.h", "#ifdef LARGE\n#define SIZE 30\n#endif");
    Source script =
        including(
            "#define LARGE\n#include \"own.h\"\nBEGIN { print(SIZE); }",
            new Source.Import("own.h", List.of(header), Optional.empty()));
    assertThat(ScriptPrinter.print(ScriptParser.parse(script).orThrow()))
        .isEqualTo(ScriptPrinter.print(parse("BEGIN { print(30); }")));
  }

  @Test
  void aHeaderThatCannotBeReadIsAnError() {
    Source script =
        including(
            "#include \"own.h\"\nBEGIN { print(2); }",
            new Source.Import("own.h", List.of(), Optional.of("no such file: own.h")));
    assertThat(ScriptParser.parse(script).diagnostics())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.message()).isEqualTo("no such file: own.h");
              assertThat(error.span().line()).isEqualTo(1);
            });
  }
}
