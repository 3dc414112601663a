package dev.ply.lang.argument;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.print.ScriptPrinter;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Options of a script, {@code getopt}. */
class ProgramOptionsTest {
  private static ParseResult parse(String script, String... words) {
    return ScriptParser.parse(
        new Source("x.bt", script), ScriptArguments.NONE.withWords(List.of(words)));
  }

  private static String printed(String values, String... words) {
    String script = "BEGIN { print((" + values + ")); }";
    return ScriptPrinter.print(parse(script, words).orThrow()).split("\n", -1)[1].strip();
  }

  private static List<String> errors(String script, String... words) {
    return parse(script, words).diagnostics().stream()
        .map(ProgramOptionsTest::text)
        .collect(Collectors.toList());
  }

  private static String text(Diagnostic diagnostic) {
    return diagnostic.message() + " | " + String.join("; ", diagnostic.hints());
  }

  private static final String ALL =
      "getopt(\"aa\", 20), getopt(\"bb\", -1), getopt(\"cc\", true), getopt(\"dd\"),"
          + " getopt(\"ee\", \"hello\")";

  @Test
  void optionsHaveDefaults() {
    assertThat(printed(ALL)).isEqualTo("print((20, -1, true, false, \"hello\"));");
  }

  @Test
  void optionsAreGivenByName() {
    assertThat(
            printed(ALL, "--dd", "--aa=0xffffffffffffffff", "--bb=-10", "--cc=False", "--ee=bye"))
        .isEqualTo("print((18446744073709551615, -10, false, true, \"bye\"));");
  }

  @Test
  void aMacroStandsForAnOption() {
    String script = "macro depth() { getopt(\"depth\", 35, \"how deep\") } BEGIN { print(depth); }";
    assertThat(ScriptPrinter.print(parse(script, "--depth=5").orThrow())).contains("print(5);");
  }

  @Test
  void wrongValuesAreErrors() {
    assertThat(errors("BEGIN { print(getopt(\"aa\", 10)); }", "--aa=False"))
        .containsExactly(
            "option --aa takes a number, not \"False\" | it is given after the script: -- --aa=10");
    assertThat(errors("BEGIN { print(getopt(\"aa\", \"x\")); }", "--aa"))
        .containsExactly(
            "option --aa takes a string | it is given after the script: -- --aa=\"x\"");
    assertThat(errors("BEGIN { print(getopt(\"aa\")); }", "--aa=5"))
        .containsExactly(
            "option --aa takes true or false, not \"5\" | it is given after the script: --"
                + " --aa=false");
  }

  @Test
  void unknownOptionsAreAnsweredWithTheKnown() {
    String script =
        "BEGIN { print((getopt(\"aa\", 10, \"Description of aa\"), getopt(\"bb\", 1),"
            + " getopt(\"cc\"))); }";
    assertThat(errors(script, "--help"))
        .containsExactly(
            "unexpected program command line options: --help | --aa=10: Description of aa; --bb=1;"
                + " --cc");
    assertThat(errors("BEGIN { }", "--x"))
        .containsExactly(
            "unexpected program command line options: --x | the script has no options; it declares"
                + " one with getopt(\"name\")");
  }

  @Test
  void anOptionIsDeclaredAlikeEverywhere() {
    assertThat(errors("BEGIN { print(getopt(\"a\", 1)); print(getopt(\"a\", 2)); }"))
        .singleElement()
        .asString()
        .startsWith("option --a has another default or description elsewhere");
    assertThat(errors("BEGIN { print(getopt(\"a\", pid)); print(getopt()); }")).hasSize(2);
  }
}
