package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.result.Message;
import dev.ply.result.Result;
import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The formats that all commands have, beside text and JSON. */
class OutputFormatTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);
  private static final Firing READ = Firing.kprobe("vfs_read");

  private static String run(OutputFormat format, String script, Firing... firings) {
    Layout layout = format.layout(Layout.PLY, Layout.PLY_JSON);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TextBuffer maps = new TextBuffer();
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script)).writeTo(bytes, layout);
        Session session = trace.start()) {
      Arrays.stream(firings).forEach(tracer::fire);
      session.stop();
      layout.on(TARGET).render(maps, new Result.Snapshot(session.tables(), Result.Occasion.FINAL));
    }
    return TextBytes.decode(bytes.toByteArray()) + maps;
  }

  @Test
  void formatsAreFoundByTheirNames() {
    assertThat(OutputFormat.words())
        .isEqualTo(
            "text, json, csv, folded, speedscope, pprof, firefox, perfetto, openmetrics, prometheus,"
                + " jfr or html");
    assertThat(OutputFormat.named("csv")).contains(OutputFormat.CSV);
    assertThat(OutputFormat.named("xml")).isEmpty();
  }

  @Test
  void eventsOfOneCallHaveOneLineOfHeadings() {
    String script =
        "kprobe:vfs_read { print(pid, comm, str(\"a,b\")); } BEGIN { printf(\"%d!\\n\", 1 + 1); }"
            + " BEGIN { printf(\"=1\\n\"); }";
    assertThat(run(OutputFormat.CSV, script, READ.pid(1).comm("cat"), READ.pid(2).comm("a \"b\"")))
        .isEqualTo(
            """
            event,1 + 1
            printf,2
            event,text
            printf,'=1
            event,pid,comm,"str(""a,b"")"
            print,1,cat,"a,b"
            print,2,"a ""b""\","a,b"
            """);
  }

  @Test
  void mapsHaveTheirKeysAsColumns() {
    String script =
        "kprobe:vfs_read { @reads[pid, comm] = count(); @sizes = quantize(arg2); @s = stats(arg2);"
            + " @last = time; @b = sizeof(uint64); }";
    assertThat(
            run(
                OutputFormat.CSV,
                script,
                READ.pid(1).comm("cat").arg(2, 9),
                READ.pid(1).comm("=x\n").arg(2, 0)))
        .isEqualTo(
            """
            map,pid,comm,value
            @reads,1,'=x\\n,1
            @reads,1,cat,1
            map,from,below,count
            @sizes,0,1,1
            @sizes,8,16,1
            map,count,average,total
            @s,2,4,9
            map,value_ns
            @last,1000001000
            map,value_bytes
            @b,8
            """);
  }

  @Test
  void stacksInKeysAreFolded() {
    String script = "kprobe:vfs_read { @[kstack, comm] = count(); @n = count(); print(1); }";
    assertThat(
            run(
                OutputFormat.FOLDED,
                script,
                READ.comm("cat").stack(0x1000L, 0x2000L),
                READ.comm("cat").stack(0x1000L, 0x2000L)))
        .isEqualTo("cat;0x2000;0x1000 2\n");
  }

  /** A file or command may write what a terminal obeys. */
  @Test
  void contentIsEscaped() {
    TextBuffer out = new TextBuffer();
    OutputFormat.CSV
        .layout(Layout.PLY, Layout.PLY_JSON)
        .on(TARGET)
        .render(out, new Result.Content(Message.FILE, "\u001b[2Ja\nb\n"));
    assertThat(out.toString()).isEqualTo("event,text\ncat,\"\\x1b[2Ja\nb\"\n");
    out.clear();
    Layout.PLY.on(TARGET).render(out, new Result.Line(Message.PRINTF, "\u001b[2Ja\n"));
    assertThat(out.toString()).isEqualTo("\\x1b[2Ja\n");
  }

  @Test
  void aFormatSaysWhatItHasNoPlaceFor() {
    TextBuffer out = new TextBuffer();
    assertThat(
            OutputFormat.FOLDED
                .layout(Layout.PLY, Layout.PLY_JSON)
                .on(TARGET)
                .render(out, new Result.Snapshot(List.of(), Result.Occasion.FINAL)))
        .isFalse();
    assertThat(out.length()).isZero();
  }
}
