package dev.ply.lang;

import static dev.ply.lang.Parsing.errors;
import static dev.ply.lang.Parsing.expression;
import static dev.ply.lang.Parsing.ir;
import static dev.ply.lang.Parsing.statements;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.lang.argument.ScriptArguments;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptParserTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k:f                     | kprobe:f",
        "kprob:f                 | kprobe:f",
        "kr:f                    | kretprobe:f",
        "t:sched/sched_switch    | tracepoint:sched:sched_switch",
        "trace:sched:sched_switch| tracepoint:sched:sched_switch",
        "BEGIN                   | BEGIN",
        "begin                   | BEGIN",
        "B:x                     | BEGIN",
        "E:                      | END",
        "end                     | END",
        "i:1                     | interval:1s",
        "i:200ms                 | interval:200ms",
        "i:1500us                | interval:1500us",
        "interval:7ns            | interval:7ns",
        "interval:2m             | interval:120s",
        "interval:010s           | interval:8s",
        "interval:0x10           | interval:16s",
        "interval:s:5            | interval:5s",
        "interval:ms:500         | interval:500ms",
        "interval:hz:100         | interval:10ms",
        "interval:ms:0x10        | interval:16ms",
        "profile:99hz            | profile:99hz",
        "profile:99              | profile:99hz",
        "profile:hz:99           | profile:99hz",
        "p:0:100hz               | profile:0:100hz",
        "prof:-1:100hz           | profile:100hz",
        "profile:3:hz:49         | profile:3:49hz",
        "profile:ms:10           | profile:ms:10",
        "profile:us:1000         | profile:ms:1",
        "profile:2:s:1           | profile:2:s:1",
        "profile:10ms            | profile:ms:10",
        "profile:3:10ms          | profile:3:ms:10",
        "profile:m:1             | profile:s:60",
        "profile:hz:1_000        | profile:1000hz",
        "interval:s:1e3          | interval:1000s",
        "interval:1_500ms        | interval:1500ms",
        "kprobe:\"vfs_read\"       | kprobe:vfs_read",
        "kprobe:\"f.part.0\"+0x10  | kprobe:f.part.0+16"
      })
  void definitionsMayBeCutShort(String definition, String canonical) {
    assertThat(ir(definition + " { }")).isEqualTo("(clause " + canonical + ")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10u               | (cast \"uint32\" 10)",
        "0xffUL            | (cast \"uint64\" 255)",
        "5_000_000_000u    | (cast \"uint64\" 5000000000)",
        "1ll               | (cast \"int64\" 1)",
        "1e1_0             | 10000000000",
        "comptime 5 + 1    | (+ 5 1)",
        "comptime (1 > 2)  | (> 1 2)",
        "(1, 2,)           | (tuple 1 2)",
      })
  void formsOfBpftraceAreTheLanguages(String text, String ir) {
    assertThat(expression(text)).isEqualTo(ir);
  }

  @Test
  void aVariableThatNothingSetsIsNoneOfAnEmptyEnvironment() {
    assertThat(statements("print($nothing);")).isEqualTo("(print $nothing)");
  }

  @Test
  void anotherBraceSlashOrCommaEndsADefinition() {
    assertThat(ir("k:f{}")).isEqualTo("(clause kprobe:f)");
    assertThat(ir("k:f/pid/{}")).isEqualTo("(clause kprobe:f (where pid))");
    assertThat(ir("k:f,kr:g , BEGIN,t:a/b{}"))
        .isEqualTo(
            "(clause kprobe:f)\n(clause kretprobe:g)\n(clause BEGIN)\n(clause tracepoint:a:b)");
  }

  @Test
  void aPredicateMayBeGluedToEitherFormOfTracepoint() {
    assertThat(ir("t:sched:sched_switch/pid == 1/{ @ = count(); }"))
        .isEqualTo("(clause tracepoint:sched:sched_switch (where (== pid 1)) (update @ (count)))");
    assertThat(ir("t:sched/sched_switch/pid/{ }"))
        .isEqualTo("(clause tracepoint:sched:sched_switch (where pid))");
  }

  @Test
  void anEntryInParenthesesIsNoArrayType() {
    assertThat(ir("BEGIN { if (m[1]) print(2); m[1] = 1; }")).contains("(if (read m (key 1))");
    assertThat(ir("BEGIN { @ = ((int8[4])1)[0]; }")).contains("(cast (array[4] \"int8\") 1)");
  }

  @Test
  void divisionIsFineInPredicates() {
    assertThat(ir("BEGIN / 4 / 2 / { }")).isEqualTo("(clause BEGIN (where (/ 4 2)))");
    assertThat(ir("BEGIN / pid / # x\n /* { */ { }")).isEqualTo("(clause BEGIN (where pid))");
  }

  @Test
  void aBodyNeedsNoBraces() {
    assertThat(ir("k:f if (pid) exit(4); else exit(5);"))
        .isEqualTo("(clause kprobe:f (if pid (then (exit 4)) (else (exit 5))))");
    assertThat(ir("k:f exit; k:g exit"))
        .isEqualTo("(clause kprobe:f exit)\n(clause kprobe:g exit)");
  }

  @Test
  void statementsAreRead() {
    assertThat(statements("m[1, comm] = 2;")).isEqualTo("(store m (key 1 comm) 2)");
    assertThat(statements("@[pid] = count();")).isEqualTo("(update @ (key pid) (count))");
    assertThat(statements("@x = count;")).isEqualTo("(update @x (count))");
    assertThat(statements("@ = sum(arg0);")).isEqualTo("(update @ (sum arg0))");
    assertThat(statements("@ = hist(1); @ = quantize(2);"))
        .isEqualTo("(update @ (quantize 1)) (update @ (quantize 2))");
    assertThat(statements("@n = 5;")).isEqualTo("(store @n 5)");
    assertThat(statements("delete m[1]; delete(@n[2]);"))
        .isEqualTo("(delete m (key 1)) (delete @n (key 2))");
    assertThat(statements("{ { exit(9); } }")).isEqualTo("(block (block (exit 9)))");
    assertThat(statements(";;")).isEmpty();
    assertThat(statements("if (1) ; ")).isEqualTo("(if 1 (then))");
  }

  @Test
  void anElseBelongsToTheNearestIf() {
    assertThat(statements("if (1) if (2) exit(3); else exit(4);"))
        .isEqualTo("(if 1 (then (if 2 (then (exit 3)) (else (exit 4)))))");
    assertThat(statements("if (1) { } else if (2) { } else { exit; }"))
        .isEqualTo("(if 1 (then) (else (if 2 (then) (else exit))))");
  }

  @Test
  void theLastStatementNeedsNoSemicolon() {
    assertThat(ir("BEGIN { print(1); print(2) } END { @ = count() }"))
        .isEqualTo("(clause BEGIN (print 1) (print 2))\n(clause END (update @ (count)))");
  }

  @Test
  void operatorsBindAsInC() {
    assertThat(expression("2+3*4")).isEqualTo("(+ 2 (* 3 4))");
    assertThat(expression("10-4-3")).isEqualTo("(- (- 10 4) 3)");
    assertThat(expression("1<<2+1")).isEqualTo("(<< 1 (+ 2 1))");
    assertThat(expression("1|2^3&1")).isEqualTo("(| 1 (^ 2 (& 3 1)))");
    assertThat(expression("1||2^^3&&4")).isEqualTo("(|| 1 (^^ 2 (&& 3 4)))");
    assertThat(expression("3>2>1 == 1<=2")).isEqualTo("(== (> (> 3 2) 1) (<= 1 2))");
    assertThat(expression("!~-*arg0 % 2")).isEqualTo("(% (! (~ (- (* arg0)))) 2)");
    assertThat(expression("1--1")).isEqualTo("(- 1 (- 1))");
    assertThat(expression("*arg0.x->y")).isEqualTo("(* (-> (. arg0 x) y))");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0x10, 16",
    "0X1f, 31",
    "010, 8",
    "0b11, 3",
    "1_000, 1000",
    "_1, 1",
    "09, 0",
    "019, 1",
    "__, 0",
    "0x_, 0",
    "0x7fff_ffff, 2147483647",
    "18446744073709551615, 18446744073709551615",
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001,"
        + " 1"
  })
  void numbersAreThoseOfC(String text, String value) {
    assertThat(expression(text)).isEqualTo(value);
  }

  @Test
  void stringsTakeEscapesAndMaySpanLines() {
    assertThat(expression("\"a\\tb\\\\\\\"\\n\"")).isEqualTo("\"a\\tb\\\\\\\"\\n\"");
    assertThat(expression("\"\\xff\\303\\xa9é😀\\é\\777\"")).isEqualTo("\"\\xfféé😀é\\xff\"");
    assertThat(expression("\"\\x41\\101\\e\"")).isEqualTo("\"AAe\"");
    assertThat(expression("\"a\nb\"")).isEqualTo("\"a\\nb\"");
    assertThat(expression("\"# // /* { }\"")).isEqualTo("\"# // /* { }\"");
    assertThat(expression("\"é€𝄞\"")).isEqualTo("\"é€𝄞\"");
  }

  @Test
  void commentsStandAnywhereAndMayEndTheFile() {
    assertThat(ir("#!/usr/bin/ply\n# c\n/* multi\nline */ BEGIN { // one\n exit; } # end"))
        .isEqualTo("(clause BEGIN exit)");
    assertThat(ir("BEGIN { } // end")).isEqualTo("(clause BEGIN)");
    assertThat(ir("BEGIN /**/ { /* * / */ }/***/")).isEqualTo("(clause BEGIN)");
  }

  @Test
  void linesMayEndAsOnWindows() {
    assertThat(ir("# c\r\nk:f\r\n/ pid /\r\n{\r\n  exit;\r\n}\r\n"))
        .isEqualTo("(clause kprobe:f (where pid) exit)");
  }

  @Test
  void namesHaveAliasesAndValuesMayHaveParentheses() {
    assertThat(expression("execname")).isEqualTo("comm");
    assertThat(expression("tid()")).isEqualTo("kpid");
    assertThat(expression("arg0()")).isEqualTo("arg0");
    assertThat(expression("args.x")).isEqualTo("(. data x)");
    assertThat(expression("data->if")).isEqualTo("(-> data if)");
  }

  @Test
  void aNameBeforeABracketIsAMap() {
    assertThat(statements("time[pid] = time; print(time[1]);"))
        .isEqualTo("(store time (key pid) time) (print (read time (key 1)))");
    assertThat(statements("count[1] = arg0; arg0[2] = 3;"))
        .isEqualTo("(store count (key 1) arg0) (store arg0 (key 2) 3)");
    assertThat(statements("while[1] = 2; for[1] = 2; nsecs[pid] = 1;"))
        .isEqualTo("(store while (key 1) 2) (store for (key 1) 2) (store nsecs (key pid) 1)");
  }

  @Test
  void aMapsNameAloneIsTheMapAsAWhole() {
    assertThat(ir("END { print(m, @, @x); } BEGIN { m[1] = 1; }"))
        .startsWith("(clause END (print (read m) (read @) (read @x)))");
    assertThat(errors("BEGIN { print(m); }")).containsExactly("\"m\" is not defined");
    assertThat(statements("print(time); time[1] = 2;"))
        .isEqualTo("(print time) (store time (key 1) 2)");
  }

  @Test
  void eachProbeIsReportedOn() {
    assertThat(
            errors(
                """
                kprobe:f { print(foo }
                krobe:g { print(bar; }
                BEGIN { if { } }
                END { print(baz); }
                """))
        .containsExactly(
            "unexpected \"}\", expected \")\"",
            "unknown provider \"krobe\"",
            "unexpected \";\", expected \")\"",
            "unexpected \"{\", expected <expression>",
            "\"baz\" is not defined");
  }

  @Test
  void aProbeWithASyntaxErrorIsCheckedForOthers() {
    assertThat(errors("krobe:f { print(foo); { print(bar); } ) print(baz); }"))
        .containsExactly(
            "unknown provider \"krobe\"",
            "\"foo\" is not defined",
            "\"bar\" is not defined",
            "unexpected \")\", expected <statement> or \"}\"",
            "\"baz\" is not defined");
  }

  @Test
  void aMissingBraceDoesNotHideTheNextProbe() {
    assertThat(errors("BEGIN { if (1) { print(1);\nkprobe:g { print(foo); }"))
        .containsExactly(
            "unexpected \"kprobe:g\", expected <statement> or \"}\"", "\"foo\" is not defined");
    assertThat(errors("BEGIN { print(1);\nEND { print(foo); }"))
        .containsExactly(
            "unexpected \"END\", expected <statement> or \"}\"", "\"foo\" is not defined");
  }

  @Test
  void aStrayBraceDoesNotHideTheNextProbe() {
    assertThat(errors("BEGIN { } }\nkprobe:g { print(foo); }"))
        .containsExactly("unexpected \"}\", expected <probe>", "\"foo\" is not defined");
  }

  @Test
  void spansCoverWhatWasWritten() {
    Script script = PlyScript.parse("k:f,\n  kr:g / pid / {\n  print(\"𝄞\", foo[1]);\n}\n");
    Clause second = script.clauses().get(1);

    assertThat(second.pointSpan().toString()).isEqualTo("<input>:2:3");
    assertThat(second.pointSpan().endColumn()).isEqualTo(7);
    assertThat(second.span().endLine()).isEqualTo(4);
    assertThat(second.body().statements().get(0).span().column()).isEqualTo(3);
    assertThat(second.body().statements().get(0).span().endColumn()).isEqualTo(21);
  }

  @Test
  void anExceptionCarriesAllFaults() {
    assertThatThrownBy(() -> PlyScript.parse("BEGIN { print(a, b); }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"a\"")
        .hasMessageContaining("\"b\"");
  }

  /** A script that names them knows that the programs of a shell are its children. */
  @Test
  void whoSpeaksOfParentsIsNotToldOfTheShell() {
    ScriptArguments environment =
        ScriptArguments.NONE
            .withVariable("target", "42")
            .withCommand(new ScriptArguments.Command(42, true));
    assertThat(diagnostics("BEGIN { print(pid == $target); }", environment)).hasSize(1);
    assertThat(diagnostics("BEGIN { print(ppid == $target); }", environment)).isEmpty();
    assertThat(diagnostics("BEGIN { print(pid); }", environment)).isEmpty();
  }

  private static List<Diagnostic> diagnostics(String text, ScriptArguments environment) {
    return ScriptParser.parse(new Source("x.ply", text), environment).diagnostics();
  }

  /** Variables of the environment begin a part of a definition; in quotes they are a name. */
  @ParameterizedTest
  @CsvSource({
    "$probe { }, kprobe:vfs_read",
    "$kind:vfs_read { }, kretprobe:vfs_read",
    "interval:s:$seconds { }, interval:5s",
    "uprobe:$home/server:main { }, uprobe:/home/me/server:main",
    "uprobe:/bin/x:main$seconds { }, uprobe:/bin/x:main$seconds",
    "uprobe:/bin/x:$other { }, uprobe:/bin/x:$other"
  })
  void variablesArePartsOfDefinitions(String text, String definition) {
    ScriptArguments arguments =
        ScriptArguments.ofEnvironment(
            Map.of(
                "probe",
                "kprobe:vfs_read",
                "kind",
                "kretprobe",
                "seconds",
                "5",
                "home",
                "/home/me"));
    assertThat(
            ScriptParser.parse(new Source("test", text), arguments)
                .orThrow()
                .clauses()
                .get(0)
                .point()
                .definition())
        .isEqualTo(definition);
  }
}
