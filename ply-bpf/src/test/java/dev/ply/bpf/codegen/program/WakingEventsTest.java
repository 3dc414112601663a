package dev.ply.bpf.codegen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of rare events wake their reader, which need not poll if there are no others. */
@Tag("any-java")
class WakingEventsTest {
  private static BpfObject compiled(String script) {
    return new TraceCompiler(SimulatedTarget.create(), CompilerOptions.DEFAULT)
        .compile(PlyScript.parse(script));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kprobe:f { @[ustack] = count(); }",
        "kprobe:f { @[ustack] = count(); } interval:s:1 { print(@); clear(@); }",
        "BEGIN { printf(\"%d\\n\", pid); } interval:s:5 { exit(0); } kprobe:f { @ = count(); }",
      })
  void rareOnesWake(String script) {
    assertThat(compiled(script).events()).isNotEmpty();
    assertThat(compiled(script).hasManyEvents()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kprobe:f { printf(\"%d\\n\", pid); }",
        "profile:hz:99 { print(pid); } interval:s:1 { printf(\"tick\\n\"); }",
      })
  void thoseOfOtherProbesDoNot(String script) {
    assertThat(compiled(script).hasManyEvents()).isTrue();
  }
}
