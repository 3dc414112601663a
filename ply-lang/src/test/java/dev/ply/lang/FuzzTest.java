package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ply.analysis.Analyzer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.ir.generate.Scripts;
import dev.ply.lang.print.ScriptPrinter;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever the text, the answer is a script or an error, and a script survives whatever is done
 * with it. Each property makes hundreds of texts, and {@code -Dfuzz.rounds=N} tries N mutants of
 * each, 2 if not set.
 */
@Tag("any-java")
class FuzzTest {
  private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 1);

  /** Far beyond any limit, and beyond what a stack has room for. */
  private static final int NESTING = Integer.getInteger("fuzz.nesting", 10_000);

  private static final List<String> WORDS =
      List.of(
          """
          BEGIN END begin kprobe:f k:vfs_read kr:g t:sched:sched_switch t:a/b/ i:1s interval:ms:5 x:y
          if else delete print( printf( exit( str( strcmp( count() count sum( quantize( comm pid m[
          m[1] @[ @ @x @x[1] time[ arg0 arg99 retval data-> args. data nsecs 0 1 09 0x 0xff 1.5 10u
          18446744073709551616 "a" "%d" "\\"" " 'a' $x $1 ++ += -- - * / % & | ^ ! ~ && || ^^ << >>
          < > <= >= == != = -> . , ; ; ; : ? ( ) ) [ ] ] { } } {} / /{ // /* */ # \\ ` while( return
          """
              .split("\\s+"));

  private final Random random = new Random();

  @BeforeProperty
  void seed() {
    random.setSeed(1);
  }

  @Provide
  Arbitrary<String> soups() {
    Arbitrary<String> gap = Arbitraries.of(" ", " ", "", "\n", "\t", "\r\n");
    return Combinators.combine(Arbitraries.of(WORDS), gap)
        .as(String::concat)
        .list()
        .ofMaxSize(40)
        .map(words -> String.join("", words));
  }

  @Provide
  Arbitrary<String> probes() {
    return soups().map(soup -> "kprobe:f / pid / { " + soup + " } END { print(1); }");
  }

  @Provide
  Arbitrary<String> noise() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(100),
        Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(100),
        Arbitraries.strings().ascii().ofMaxLength(100).map(text -> "BEGIN {" + text));
  }

  @Provide
  Arbitrary<Script> scripts() {
    return Scripts.any();
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void soupsOfWords(@ForAll("soups") String text) {
    repeat(text);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void soupsOfWordsInProbes(@ForAll("probes") String text) {
    repeat(text);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void noise(@ForAll("noise") String text) {
    repeat(text);
  }

  @Property(
      tries = 200,
      shrinking = ShrinkingMode.BOUNDED,
      generation = GenerationMode.RANDOMIZED,
      edgeCases = EdgeCasesMode.NONE)
  void scriptsAndWhatIsAlmostOne(@ForAll("scripts") Script script) {
    String text = ScriptPrinter.print(script);
    survive(text);
    repeat(text);
  }

  /** Tries the text, and as many mutants of it as there are rounds. */
  private void repeat(String text) {
    for (int round = 0; round < ROUNDS; round++) {
      survive(text);
      text = mutant(text);
    }
    survive(text);
  }

  private String mutant(String text) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + random.nextInt(6));
    String before = text.substring(0, from);
    String after = text.substring(to);
    return switch (random.nextInt(5)) {
      case 0 -> before + after;
      case 1 -> before + text.substring(from, to) + text.substring(from, to) + after;
      case 2 -> before + (char) random.nextInt(0x80) + after;
      case 3 -> before + (char) random.nextInt(0x10000) + text.substring(from);
      default -> before + " " + WORDS.get(random.nextInt(WORDS.size())) + " " + after;
    };
  }

  private static void survive(String text) {
    Source source = new Source("fuzz", text);
    ParseResult result = ScriptParser.parse(source);
    if (result.hasErrors()) {
      assertThat(result.diagnostics()).anyMatch(d -> d.severity() == Severity.ERROR);
      assertThat(DiagnosticRenderer.render(result.diagnostics(), source)).isNotEmpty();
      return;
    }
    survive(result.script());
  }

  private static void survive(Script script) {
    Parsing.assertRoundTrip(script);
    assertThat(IrPrinter.print(script)).isNotEmpty();
    try {
      new Analyzer(BareTarget.INSTANCE).analyze(script);
    } catch (CompilationException e) {
      assertThat(e.diagnostics()).anyMatch(d -> d.severity() == Severity.ERROR);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "print( ( 1 ) )",
        "print( - 1 '' )",
        "print( -~! 1 '' )",
        "print( 1+ 1 '' )",
        "print( 1*(1+ 1 ) )",
        "print( *- 1 '' )",
        "'' if(1) exit '' ''",
        "'' 'if(1){}else ' exit '' ''",
        "'' { '' } ''",
        "'' { '' '' ''",
        "print( m[ 1 ] )",
        "print( str( 1 ) )",
        "print(data .x '' '' )",
        "'' m[1]=m[1]; exit '' ''",
        "'' / '' '' ''",
        "print( 1/{ '' '' )",
        "print( 9 9 '' )",
        "'' /* '' '' ''",
        "'' '/ ' '' '' ''",
        "'' 'm[1]=2 ' '' '' ''",
        "'' exit; '' '}END{' ''"
      })
  void whatNestsWithoutEndEnds(String head, String open, String middle, String close, String tail) {
    int many = Math.min(NESTING, 500_000 / Math.max(1, open.length()));
    for (int count : new int[] {10, 200, 255, 257, 3_000, many}) {
      String text =
          "BEGIN {"
              + head
              + open.repeat(count)
              + middle
              + close.repeat(close.isEmpty() ? 0 : count)
              + tail
              + "}";
      assertThatCode(() -> survive(text)).as(open + " × " + count).doesNotThrowAnyException();
    }
  }

  /** Each macro and function is nested within the limit; what they call together is not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "macro m%d() { | if (1) { | m%d(); | } | } | '' | begin { m%d(); }",
        "fn m%d(): void { | { | m%d(); | } | } | '' | begin { m%d(); }",
        "fn m%d(): int64 { return | (1 + | m%d() | ) | ; } | 1 | begin { print(m%d()); }",
      })
  void whatCallsNestWithoutEndEnds(
      String head,
      String open,
      String call,
      String close,
      String tail,
      String middle,
      String probe) {
    for (int macros : new int[] {3, 10, 64}) {
      StringBuilder text = new StringBuilder(head.formatted(0) + middle + tail + "\n");
      for (int i = 1; i <= macros; i++) {
        text.append(head.formatted(i))
            .append(open.repeat(200))
            .append(call.formatted(i - 1))
            .append(close.repeat(200))
            .append(tail)
            .append('\n');
      }
      ParseResult result = ScriptParser.parse(new Source("fuzz", text + probe.formatted(macros)));
      assertThat(result.diagnostics()).anyMatch(d -> d.message().contains("nested more than"));
    }
  }
}
