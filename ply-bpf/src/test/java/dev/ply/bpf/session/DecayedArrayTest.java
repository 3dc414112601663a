package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Test;

/** An array of a record that is cast to a pointer is its address. */
class DecayedArrayTest {
  private static final String FORMAT =
      """
      name: probe
      ID: 9
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      \tfield:char name[16];\toffset:8;\tsize:16;\tsigned:0;
      """;

  @Test
  void itsBytesAreReadAsAStructure() {
    StringBuilder text = new StringBuilder();
    String script =
        "struct two { char a; char b; u16 c; };"
            + " tracepoint:net:probe { $p = (struct two *)data->name;"
            + " printf(\"%c %c %x\", $p->a, $p->b, $p->c); }";
    SimulatedTarget target = SimulatedTarget.create().withTracepoint("net", FORMAT);
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session running = tracer.prepare(PlyScript.parse(script)).printTo(text::append).start()) {
      tracer.fire(Firing.tracepoint("net:probe").field("name", "ABCD"));
      assertThat(running.end()).isEmpty();
    }
    assertThat(text.toString()).isEqualTo("A B 4443");
  }
}
