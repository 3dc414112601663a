package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.layout.Layout;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Values of enumerations are printed by name, as bpftrace does. */
class EnumeratorsTest {
  private static final String FOO = "enum Foo { ONE = 1, TWO = 2, OTHER = 99999 }; ";

  private static final String[][] RUN = {
    {"printf(\"%d %s %d %s\\n\", ONE, ONE, OTHER, OTHER);", "1 ONE 99999 OTHER"},
    {"$one = ONE; $two = TWO; printf(\"%d %s %s\\n\", $one, $one, $two);", "1 ONE TWO"},
    {"@one = ONE; printf(\"%d %s\\n\", @one, @one);", "1 ONE\n@one: ONE"},
    {"printf(\"%-5s|%5s|%s\\n\", ONE, TWO, OTHER);", "ONE  |  TWO|OTHER"},
    {"printf(\"%d %s\\n\", ONE, (enum Foo)1);", "1 ONE"},
    {"$x = 100; printf(\"%d %s\\n\", ONE, (enum Foo)$x);", "1 100"},
    {"@[ONE] = 11; @[TWO] = 22; @m[ONE] = 333;", "@[ONE]: 11\n@[TWO]: 22\n@m[ONE]: 333"},
    {"@[ONE, TWO, ONE] = -1;", "@[ONE, TWO, ONE]: -1"},
    {"@ = ONE;", "@: ONE"},
    {"@ = (ONE, TWO);", "@: (ONE, TWO)"},
    {"@[ONE + 1] = TWO - 1;", "@[2]: 1"},
    {"@[ONE + 1] = TWO + 1; @[ONE] = ONE;", "@[1]: 1\n@[2]: 3"},
    {"print(ONE | TWO); print(ONE & ONE); print(-ONE);", "3\n1\n-1"},
    {"$f = OTHER; print($f); $t = (ONE, TWO); print($t);", "OTHER\n(ONE, TWO)"},
    {"$f = ONE; $f = 2; print($f);", "2"},
    {"print((enum Foo)99999); $x = 444; print((enum Foo)$x);", "OTHER\n444"},
    {"print(ONE == 1); if (TWO > ONE) { print(TWO); }", "true\nTWO"},
  };

  private static String run(String body, Layout layout) {
    return LayoutTest.run(FOO + "begin { " + body + " }", layout);
  }

  @TestFactory
  Stream<DynamicTest> outputs() {
    return Stream.of(RUN)
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row[0],
                    () ->
                        assertThat(run(row[0], Layout.BPFTRACE).replaceAll("\n+", "\n").strip())
                            .isEqualTo(row[1])));
  }

  /** What reads JSON keeps its numbers; the strings of printf have names. */
  @Test
  void jsonHasNumbers() {
    assertThat(run("print(OTHER); printf(\"%d %s\", ONE, ONE);", Layout.BPFTRACE_JSON))
        .isEqualTo(
            """
            {"type": "value", "data": 99999}
            {"type": "printf", "data": "1 ONE"}
            """);
  }
}
