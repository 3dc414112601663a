package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.lang.PlyScript;
import dev.ply.type.Dialect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lists of probes of which some do not exist. */
class MissingSitesTest {
  private static final Configuration BPFTRACE = new Configuration(Map.of(), Dialect.BPFTRACE);

  private static AnalyzedScript analyzed(Script script) {
    SimulatedTarget target =
        SimulatedTarget.create()
            .withUserFunctions("/lib/x", "there")
            .withFunctions("ext4:ext4_sync_file");
    return new Analyzer(target).analyze(script);
  }

  private static AnalyzedScript bpftrace(String text) {
    return analyzed(PlyScript.parse(text).withConfiguration(BPFTRACE));
  }

  private static List<String> selected(String list) {
    return bpftrace(list + " { @ = count(); }").programs().stream()
        .flatMap(program -> program.sites().stream())
        .map(site -> site.point().definition())
        .sorted()
        .toList();
  }

  @Test
  void ofAListInBpftracesDialectPatternsMayMatchNothing() {
    String list = "uprobe:/lib/x:gone*,kprobe:vfs_rea?,kprobe:no_* { @ = count(); }";
    assertThat(bpftrace(list).warnings())
        .extracting(Diagnostic::message)
        .containsExactly(
            "\"/lib/x\" has no function that matches gone*",
            "this kernel has no function that matches kprobe:no_*");
    assertThatThrownBy(() -> analyzed(PlyScript.parse(list)))
        .hasMessageContaining("gone*")
        .hasMessageContaining("no_*");
  }

  @Test
  void ofANameThatAListCouldDoWithoutTheErrorSaysHow() {
    String hint = "missing_probes";
    assertThat(hints("tracepoint:sched:gone,kprobe:vfs_read { @ = count(); }")).contains(hint);
    assertThat(hints("kprobe:vfs_read,tracepoint:sched:gone { @ = count(); }")).contains(hint);
    assertThat(hints("tracepoint:sched:gone { @ = count(); } kprobe:vfs_read { @ = count(); }"))
        .doesNotContain(hint);
  }

  private static String hints(String text) {
    return catchThrowableOfType(CompilationException.class, () -> bpftrace(text))
        .diagnostics()
        .toString();
  }

  @Test
  void aListWhosePatternsAllMatchNothingIsRefused() {
    assertThatThrownBy(() -> selected("kprobe:no_*,uprobe:/lib/x:gone*"))
        .hasMessageContaining("no_*")
        .hasMessageContaining("gone*");
    assertThatThrownBy(() -> selected("kprobe:no_* { @ = count(); } kprobe:vfs_read"))
        .hasMessageContaining("no_*");
  }

  @Test
  void theKernelItselfIsAModuleForPatterns() {
    assertThat(selected("kprobe:*:vfs_read")).containsExactly("kprobe:vfs_read");
    assertThat(selected("kprobe:vmlinu?:vfs_rea*"))
        .containsExactly("kprobe:vfs_read", "kprobe:vfs_readv");
    assertThat(selected("kprobe:e?t4:*")).containsExactly("kprobe:ext4:ext4_sync_file");
  }
}
