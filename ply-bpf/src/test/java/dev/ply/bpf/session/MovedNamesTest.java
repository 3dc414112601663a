package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.lang.PlyScript;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions that a kernel has under another name. */
class MovedNamesTest {
  private static final SimulatedTarget TARGET =
      SimulatedTarget.create()
          .withFunction("alloc_noprof", 0x1000)
          .withFunction("switch.isra.0", 0x2000)
          .withFunction("copy.constprop.0", 0x3000)
          .withFunction("copy.constprop.1", 0x3100)
          .withFunction("account.part.0", 0x4000)
          .withFunction("rare.cold", 0x5000)
          .withFunction("merged.llvm.1234567", 0x6000)
          .withFunction("whole", 0x7000)
          .withFunction("whole.cold", 0x7100)
          .withFunction("whole_noprof", 0x7200)
          .withFunction("submit_bio_noacct", 0x8000);

  private static AnalyzedScript analyzed(String text) {
    return new Analyzer(TARGET).analyze(PlyScript.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "kprobe:alloc, kprobe:alloc_noprof",
    "kretprobe:alloc, kretprobe:alloc_noprof",
    "kprobe:switch, kprobe:switch.isra.0",
    "kretprobe:switch, kretprobe:switch.isra.0",
    "kprobe:copy, kprobe:copy.constprop.0 kprobe:copy.constprop.1",
    "kprobe:merged, kprobe:merged.llvm.1234567",
  })
  void areAttachedUnderItWithANote(String probe, String sites) {
    AnalyzedScript script = analyzed(probe + " { @[probe] = count(); }");
    assertThat(
            script.programs().stream()
                .flatMap(program -> program.sites().stream())
                .map(site -> site.point().definition()))
        .containsExactly(sites.split(" ", -1));
    assertThat(script.warnings()).hasSize(1);
    assertThat(script.warnings().get(0).hints().toString())
        .startsWith("[attached is " + sites.replace(" ", ", "));
  }

  @Test
  void whatExistsIsNotReplaced() {
    for (String probe : List.of("kprobe:whole", "kprobe:switch.isra.0", "kprobe:alloc_noprof")) {
      AnalyzedScript script = analyzed(probe + " { @ = sum(arg0); }");
      assertThat(script.warnings()).isEmpty();
      assertThat(script.programs().get(0).sites().get(0).point().definition()).isEqualTo(probe);
    }
  }

  @Test
  void aRenamedFunctionHasItsArguments() {
    assertThat(analyzed("kprobe:alloc { @ = sum(arg1); }").warnings()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kprobe:switch { @ = sum(arg0); }|switch.isra.0",
        "kprobe:switch { @ = sum(regs->di); }|switch.isra.0",
        "kprobe:switch /arg2 > 1/ { @ = count(); }|switch.isra.0",
        "kretprobe:switch { @ = sum(retval); }|switch.isra.0",
        "kretprobe:copy { @ = sum(entry(arg0)); }|copy.constprop.0, copy.constprop.1",
        "kprobe:account { @ = count(); }|account.part.0",
        "kprobe:rare { @ = count(); }|rare.cold",
        "kprobe:switch+4 { @ = count(); }|switch.isra.0",
      })
  void whatCannotBeAttachedIsNamed(String script, String names) {
    assertThat(errors(script)).contains(names);
  }

  private static String errors(String text) {
    List<Diagnostic> found =
        catchThrowableOfType(CompilationException.class, () -> analyzed(text)).diagnostics();
    return found.toString();
  }

  @Test
  void whatIsMissingCanBeLeftOut() {
    AnalyzedScript script =
        analyzed(
            "config = { missing_probes = warn } kprobe:account,kprobe:whole { @ = count(); }"
                + " kprobe:switch { @a = sum(arg0); }");
    assertThat(script.warnings()).hasSize(2);
    assertThat(script.programs()).hasSize(1);
    assertThat(
            analyzed(
                    "config = { missing_probes = ignore } kprobe:account,kprobe:whole { @ ="
                        + " count(); }")
                .warnings())
        .isEmpty();
  }

  @Test
  void namesOfOtherKernelsAreExplained() {
    assertThat(
            errors(
                "config = { missing_probes = warn } kprobe:generic_make_request { @ = count(); }"))
        .contains("this one has submit_bio_noacct");
    assertThat(errors("tracepoint:tcp:sched_switch { @ = count(); }"))
        .contains("this kernel has sched:sched_switch instead");
  }
}
