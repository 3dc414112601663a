package dev.ply.bpf.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ply.analysis.Analyzer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Slowest;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.machine.Architecture;
import dev.ply.target.Target;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;

/**
 * Whatever the text, the answer is a program that the verifier accepts, or errors in words. Each of
 * the tries makes {@code -Dfuzz.rounds=N} texts, 3 if not set.
 */
class PipelineFuzzTest {
  private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 1);
  private static final Target TARGET = Stage.target(Architecture.X86_64);
  private static final ScriptArguments ARGUMENTS =
      ScriptArguments.ofEnvironment(
              Map.of("N", "-3", "S", "a string", "F", "%d %s\\n", "x", "0xffffffffffffffff"))
          .withWords(List.of(""));

  private static final Slowest SLOWEST = new Slowest();

  @AfterContainer
  static void report() {
    System.out.println(SLOWEST);
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void everyTextIsAProgramOrIsToldWhyNot(@ForAll long seed) {
    Texts texts = new Texts(new Random(seed));
    for (int round = 0; round < ROUNDS; round++) {
      String text = texts.next();
      try {
        SLOWEST.time(text, () -> survive(new Source("fuzz", text)));
      } catch (RuntimeException | StackOverflowError | AssertionError e) {
        throw new AssertionError("seed " + seed + ":\n" + text, e);
      }
    }
  }

  /** What depends on a fault is none. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void oneFaultIsOneError(@ForAll long seed) {
    Texts texts = new Texts(new Random(seed));
    for (int round = 0; round < ROUNDS; round++) {
      Source source = new Source("fuzz", texts.withOneFault());
      ParseResult result = ScriptParser.parse(source, ARGUMENTS);
      assertThatExceptionOfType(CompilationException.class)
          .as(source.text())
          .isThrownBy(() -> new Analyzer(TARGET).analyze(result.script(), result.diagnostics()))
          .satisfies(
              refusal ->
                  assertThat(refusal.diagnostics())
                      .filteredOn(one -> one.severity() == Severity.ERROR)
                      .as(source.text())
                      .hasSize(1));
    }
  }

  @Test
  void aFileNameThatNoFileCanHaveIsRefused() {
    survive(new Source("zero", "uprobe:/tmp/a\0b:main { @ = count(); }"));
    survive(new Source("zero", "usdt:/tmp/a\0b:p:m { @ = count(); }"));
  }

  private static void survive(Source source) {
    ParseResult result = ScriptParser.parse(source, ARGUMENTS);
    if (result.hasErrors()) {
      assertThatExceptionOfType(CompilationException.class)
          .isThrownBy(() -> new Analyzer(TARGET).analyze(result.script(), result.diagnostics()))
          .satisfies(refusal -> assertSpeaks(refusal, source));
      return;
    }
    try {
      new TraceCompiler(TARGET, CompilerOptions.DEFAULT).compile(result.script());
    } catch (CompilationException refusal) {
      assertSpeaks(refusal, source);
    }
  }

  private static void assertSpeaks(CompilationException refusal, Source source) {
    assertThat(Diagnostics.hasErrors(refusal.diagnostics())).isTrue();
    assertThat(refusal.diagnostics()).allMatch(one -> one.span().isKnown());
    assertThat(DiagnosticRenderer.render(refusal.diagnostics(), source)).isNotEmpty();
  }
}
