package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.lang.PlyScript;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.layout.Layout;
import dev.ply.type.Dialect;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that scripts compute, as they print them. */
class ScriptValuesTest {
  private static final Configuration BPFTRACE = new Configuration(Map.of(), Dialect.BPFTRACE);

  private static String printed(Script script) {
    StringBuilder printed = new StringBuilder();
    try (var tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(script).printTo(printed::append);
        Session session = trace.start()) {
      session.stop();
    }
    return printed.toString();
  }

  @Test
  void aTruthValueOfBpftraceHasOneByte() {
    String sizes = "BEGIN { print(sizeof(1 == 1)); }";
    Script ofBpftrace = PlyScript.parse(sizes).withConfiguration(BPFTRACE);
    assertThat(printed(ofBpftrace).strip()).isEqualTo("1");
    assertThat(printed(PlyScript.parse(sizes)).strip()).isEqualTo("4");
  }

  /** As in bpftrace before 0.22, where a variable lived until the end of the clause. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "if (pid > 0) { $x = 4; } else { $x = 6; } print($x);               | 4",
        "if (pid == 0) { $x = 4; } print($x);                               | 0",
        "if (pid > 0) { $a = ntop(1); } else { $a = ntop(pton(\"::1\")); } print($a); | 1.0.0.0",
        "$i = 0; while ($i < 3) { $i++; if ($i == 2) { $two = \"two\"; } } print($two); | two",
        "if (pid > 0) { if (uid >= 0) { $x = 1; } $x = $x + 2; } print($x + 1);  | 4",
        "unroll (2) { $x = 5; } $y = 0; for ($k : 0..$x) { $y += $k; } print($y);  | 10",
        "$b = { $c = 7; $c + 1 }; print($b + $c);                           | 15",
      })
  void aVariableOfBpftraceOutlivesItsBlock(String statements, String output) {
    Script script = PlyScript.parse("BEGIN { " + statements + " }");
    assertThat(printed(script.withConfiguration(BPFTRACE)).strip()).isEqualTo(output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (pid > 0) { let $x = 4; } print($x);",
        "for ($x : 0..4) { } print($x);",
        "print($x); if (pid > 0) { $x = 4; }",
      })
  void aDeclaredVariableOfBpftraceEndsWithItsBlock(String statements) {
    Script script = PlyScript.parse("BEGIN { " + statements + " }").withConfiguration(BPFTRACE);
    assertThatThrownBy(() -> printed(script)).hasMessageContaining("\"$x\" has no value here");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "config().max_strlen, config.stack_mode, config().cpp_demangle | 128, bpftrace, true",
        "config.max_strlen == __builtin_config.max_strlen               | true",
        "config.max_map_keys, config.license, config.str_trunc_trailer  | 4096, GPL, ..",
      })
  void settingsAreARecord(String values, String output) {
    Script script = PlyScript.parse("BEGIN { print((" + values + ")); }");
    assertThat(shown(script.withConfiguration(BPFTRACE))).isIn(output, "(" + output + ")");
  }

  private static String shown(Script script) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (var tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(script).writeTo(bytes, Layout.BPFTRACE);
        Session session = trace.start()) {
      session.stop();
    }
    return bytes.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void settingsHaveTheScriptsValues() {
    Configuration set =
        new Configuration(
            Map.of(Setting.MAX_STRLEN, "20", Setting.STACK_MODE, "perf", Setting.LOG_SIZE, "77"),
            Dialect.BPFTRACE);
    String body =
        "BEGIN { $c = config; print(($c.max_strlen, config.stack_mode, config.log_size)); }";
    assertThat(shown(PlyScript.parse(body).withConfiguration(set))).isEqualTo("(20, perf, 77)");
    assertThat(
            printed(
                    PlyScript.parse(
                        "config = { max_map_keys = 7 } BEGIN { print(config.max_map_keys); }"))
                .strip())
        .isEqualTo("7");
    assertThatThrownBy(() -> printed(PlyScript.parse("BEGIN { print(config.max_map_keys); }")))
        .hasMessageContaining("max_map_keys");
  }

  @Test
  void statisticsWithoutUpdatesArePrinted() {
    String empty = "@: { .count = 0, .average = 0, .total = 0 }";
    assertThat(LayoutTest.run("BEGIN { print(@); } END { @ = stats(1); }", Layout.BPFTRACE))
        .contains(empty, "@: { .count = 1, .average = 1, .total = 1 }");
    assertThat(LayoutTest.run("BEGIN { @[1] = stats(5); zero(@); print(@); }", Layout.BPFTRACE))
        .contains("@[1]: { .count = 0, .average = 0, .total = 0 }");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "print(sizeof((1, 2)));                                              | 2",
        "print(sizeof((127, 128))); print(sizeof((1, 40000)));               | 4,8",
        "print(sizeof((-128, -129, -40000, -1 << 40)));                      | 16",
        "print(sizeof((1 + 1, -2 * 3))); print(sizeof((a=1, b=5000000000))); | 2,16",
        "print(sizeof((pid, 1))); $x = 1; print(sizeof((true, $x)));         | 8,16",
        "print(sizeof((0xffffffffffffffff, 1)));                             | 16",
        "$t = (1, 2); $t = (300, -2); print($t); print(sizeof($t));          | (300, -2),4",
        "$t = (1, (2, 3)); $t = ($t.0, (70000, 3)); print($t.1.0 * 100000);  | 7000000000",
        "@ = (255, 0xffffffffffffffff); @ = (1, 1); print(@.1); @ = (-1, 0xffffffffffffffff);"
            + " print((@.0, @.1));   | 1,(-1, 18446744073709551615)",
        "print((1, 2) == (1, 0x100000002)); print((1, -1) == ((int64)1, (int32)-1)); | 0,1",
        "@[(1, 2)] = 3; @[1, 300] = 4; print(@[(1, 300)]); print(@[1, 2]);   | 4,3",
        "$i = 0; $t = (0, 1); while ($i < 60) { $t = ($t.1, $t.0 + $t.1); $i++; } print($t.1);"
            + " | 2504730781961",
      })
  void numbersOfBpftraceKeepTheirSizeInTuples(String statements, String output) {
    Script script = PlyScript.parse("BEGIN { " + statements + " exit(); }");
    assertThat(printed(script.withConfiguration(BPFTRACE)).replaceAll("\n@?.*@.*|^\n", "").strip())
        .isEqualTo(output.replace(',', '\n').replace("\n ", ", "));
  }

  @Test
  void aStructureOfAnAddressIsAnAddress() {
    String structures = "struct v6 { char a[16]; }; struct v4 { int a; }; ";
    String body =
        "$a = pton(\"::1\"); $b = 0x0100007f; print(ntop(*(struct v6 *)&$a)); print(ntop(*(struct"
            + " v4 *)&$b));";
    assertThat(printed(PlyScript.parse(structures + "BEGIN { " + body + " }")))
        .isEqualToIgnoringWhitespace("::1 127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@ = (int16 *)0x32; @ += 1; printf(\"%x\", @);                  | 34",
        "@ = (int32 *)0x32; @ += 6; @ -= 1; printf(\"%x\", @);          | 46",
        "@n = 4; @ = (int32 *)0x32; @ -= @n; printf(\"%x\", @);         | 22",
        "@ = (int64 *)0x32; $a = @++; $b = --@; printf(\"%x %x %x\", $a, $b, @); | 32 32 32",
        "@ = (int32 *)0x32; @++; ++@; @--; printf(\"%x\", @);           | 36",
        "@ = (void *)0x32; @ += 3; @++; printf(\"%x\", @);              | 36",
      })
  void anAddressInAMapCountsWhatItPointsTo(String statements, String output) {
    assertThat(printed(PlyScript.parse("BEGIN { " + statements + " }"))).isEqualTo(output);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "print(((int8[8])0x3039)[1]);                                    | 48",
        "print(((int8[])0x3039)[0]);                                     | 57",
        "print((int8[])\"hello\");                                       | [104, 101, 108, 108,"
            + " 111, 0]",
        "print((int8[8])\"hi\");                                         | [104, 105, 0, 0, 0, 0,"
            + " 0, 0]",
        "$x = (uint32[2])(uint64)0x500000004; print($x[1], (uint16[2])$x[0]); | 5, [4, 0]",
        "@a = (uint8[4])0x1020304; print((uint32)@a == 0x1020304, (1, @a)); | 1, (1, [4, 3, 2, 1])",
        "$a = pton(\"10.1.2.3\"); @a = pton(\"::1\"); $b = @a; print($a[3], $b[15], $a); | 3, 1,"
            + " [10, 1, 2, 3]",
        "let $w : int32[3]; $w = (int32[3])$w; print($w, sizeof(int16[3])); | [0, 0, 0], 6",
      })
  void numbersAndStringsAreReadAsArrays(String statements, String output) {
    assertThat(printed(PlyScript.parse("BEGIN { " + statements + " }")).strip()).isEqualTo(output);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$a = buf(\"hi\", 2); $b = buf(\"hi\", 2); printf(\"%d %d\", $a == $b, $a != $b); | 1 0",
        "$a = buf(\"hi\", 2); $b = buf(\"bye\", 3); printf(\"%d %d\", $a == $b, $a != $b); | 0 1",
        "$a = pid ? buf(\"bye\", 3) : buf(\"hi\", 2); printf(\"%r\", $a);                | bye",
        "$t = (1, strftime(\"%Y\", 0), ntop(127)); print($t);                            | (1,"
            + " 1970, 127.0.0.0)",
        "@t[username] = (strerror(2), 7); print(@t[username].1, @t[username].0);         | 7, No"
            + " such file or directory",
      })
  void stringsThatUserSpaceDecodesAreValues(String statements, String output) {
    assertThat(printed(PlyScript.parse("BEGIN { " + statements + " }")).strip()).isEqualTo(output);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "let $a: string; $a = \"x\"; $a = \"a much longer one\"; print($a);    | a much longer one",
        "let $a: string[64] = (string[64])\"x\"; print($a);                    | x",
        "print((string[6])\"hello\" == \"hello\", (string[8])\"hello\");          | 1, hello",
        "@[(string[32])comm] = (string[9])\"one\"; print(@[comm]);              | one",
        "print(((string[4])\"ab\", 1));                                         | (ab, 1)",
      })
  void stringsMayStateASize(String statements, String output) {
    assertThat(printed(PlyScript.parse("BEGIN { " + statements + " }")).strip()).isEqualTo(output);
  }

  @ParameterizedTest
  @ValueSource(strings = {"elapsed;", "let $unused;", "{ let $unused; }"})
  void whatNothingUsesIsNoFault(String statements) {
    assertThat(printed(PlyScript.parse("BEGIN { " + statements + " print(7); }"))).isEqualTo("7\n");
  }

  @Test
  void attributesMayFollowTheDefinitionOfAType() {
    String script =
        """
        struct a { int x; char y; int z; } __attribute__((packed)) struct b { char c; int d; }
        __attribute__((packed)) __attribute__((aligned(1)))
        BEGIN { printf("%d %d", sizeof(struct a), sizeof(struct b)); }
        """;
    assertThat(printed(PlyScript.parse(script))).isEqualTo("9 5");
  }

  @Test
  void theContextIsAnAddressThatProgramsComputeWith() {
    String script =
        "BEGIN { $p = (uint64 *)ctx; print(((uint64)ctx & 7) * 3, $p == (uint64 *)ctx, &$p[1] -"
            + " $p); }";
    assertThat(printed(PlyScript.parse(script)).strip()).isEqualTo("0, 1, 8");
  }

  @Test
  void functionsAreMembersOfOneAddress() {
    String script =
        """
        struct __attribute__((packed)) a { char x; int y; };
        struct b __attribute__((packed)) { char x; long (*call)(struct b *, int (*)(void)); void *(*more)(int), *z; };
        BEGIN { printf("%d %d %d", sizeof(struct a), offsetof(struct b, more), offsetof(struct b, z)); }
        """;
    assertThat(printed(PlyScript.parse(script))).isEqualTo("5 9 17");
  }

  @Test
  void aParameterCanBeReadWithoutItsFirstBytes() {
    String script = "BEGIN { printf(\"%s %s %s\", str($1 + 1), str($2 + 2), str($3 + 9)); }";
    assertThat(
            printed(
                PlyScript.parse(
                    script, ScriptArguments.NONE.withWords(List.of("hello", "1234", "x")))))
        .isEqualTo("ello 34 ");
  }

  @Test
  void theCommandOfTheTracerHasAPid() {
    String script = "BEGIN { printf(\"%d %d %d\", cpid, cpid(), has_cpid); }";
    assertThat(
            printed(
                PlyScript.parse(
                    script,
                    ScriptArguments.NONE.withCommand(new ScriptArguments.Command(77, false)))))
        .isEqualTo("77 77 1");
    assertThat(printed(PlyScript.parse(script))).isEqualTo("0 0 0");
  }

  /** The paths of the first loop differ in counters that nobody reads after it. */
  @Test
  void whatIsDeadDoesNotMultiplyPaths() {
    String script =
        """
        BEGIN {
          @a[1] = 3;
          $i = 0; $k = 0; $l = 0; $m = 0; $n = 0;
          unroll (40) {
            if (@a[$i] == 10) { $k += 1; @k = $k + $m; } else { $l += 1; @l = $l + $n; }
            if (@a[$i] == 3) { $m += 3; } else { $n += 5; }
            $i += 1;
          }
          $i = 0;
          unroll (80) {
            if (@a[$i] == 1) { @b[$i] = 1; }
            if (@a[$i] == 2) { @b[$i] = 2; }
            if (@a[$i] == 3) { @b[$i] = 3; }
            if (@a[$i] == 4) { @b[$i] = 4; }
            $i += 1;
          }
          printf("%d %d %d", @l, @b[1], @b[2]);
        }
        """;
    assertThat(printed(PlyScript.parse(script))).isEqualTo("230 3 0");
  }

  @Test
  void bpftracesExitLeavesTheClause() {
    String script = "BEGIN { @x = 1; if (@x) { exit(); } @x = 2; } END { printf(\"%d\", @x); }";
    assertThat(printed(PlyScript.parse(script))).isEqualTo("2");
    assertThat(printed(PlyScript.parse(script).withConfiguration(BPFTRACE))).isEqualTo("1");
  }

  /** What bpftrace prints, as of numbers that are known before the script runs. */
  @ParameterizedTest
  @CsvSource({"~(uint8)@n, 127", "-(uint8)@n, 128", "~(int8)@n, 127", "~(uint16)@n + 1, 65408"})
  void aSingleOperandOfBpftraceKeepsItsSize(String expression, String output) {
    String script = "BEGIN { @n = 128; $x = " + expression + "; printf(\"%d\", $x); }";
    assertThat(printed(PlyScript.parse(script).withConfiguration(BPFTRACE))).isEqualTo(output);
    String constant = script.replace("@n;", "128;").replace(")@n", ")128");
    assertThat(printed(PlyScript.parse(constant).withConfiguration(BPFTRACE))).isEqualTo(output);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "printf(\"%d\", __builtin_ncpus == ncpus);            | 1",
        "printf(\"%d\", __builtin_comm == comm());            | 1",
        "printf(\"%d\", usermode);                            | 1",
        "@ = 5; printf(\"%d %d\", delete(@), @);              | 1 0",
      })
  void builtInsHaveTheNamesAndFormsOfBpftrace(String statements, String output) {
    assertThat(printed(PlyScript.parse("BEGIN { " + statements + " }"))).isEqualTo(output);
  }

  /** bpftrace shows a map of strings by its keys. */
  @Test
  void theLargestStringsAreThoseShownLast() {
    Script script =
        PlyScript.parse("BEGIN { @a[1] = \"zz\"; @a[2] = \"b\"; @a[3] = \"aa\"; print(@a, 1); }");
    assertThat(written(script, Layout.PLY)).contains("{ 1 }: zz").doesNotContain("aa");
    assertThat(written(script, Layout.BPFTRACE)).isEqualTo("@a[3]: aa\n");
  }

  private static String written(Script script, Layout layout) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (var tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(script).writeTo(bytes, layout);
        Session session = trace.start()) {
      session.stop();
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
