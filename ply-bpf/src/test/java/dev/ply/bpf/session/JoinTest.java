package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.result.Loss;
import dev.ply.type.AddressSpace;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What join prints of arrays of pointers. */
class JoinTest {
  private static final String EXECVE = "tracepoint:syscalls:sys_enter_execve";
  private static final long ARRAY = 0x10000;

  private static String joined(String call, Layout layout, List<String> strings) {
    ByteBuffer pointers =
        ByteBuffer.allocate((strings.size() + 1) * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Firing event = Firing.tracepoint("syscalls:sys_enter_execve").field("argv", ARRAY);
    for (int i = 0; i < strings.size(); i++) {
      long at = ARRAY + 0x10000L * (i + 1);
      pointers.putLong(at);
      event = event.text(AddressSpace.USER, at, strings.get(i));
    }
    String bytes = TextBytes.decode(pointers.array());
    event = event.text(AddressSpace.USER, ARRAY, bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session =
            tracer
                .prepare(PlyScript.parse(EXECVE + " { " + call + " }"))
                .writeTo(out, layout)
                .start()) {
      tracer.fire(event);
      session.stop();
      assertThat(session.lost(Loss.EVENTS)).isZero();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void stringsAreSeparatedBySpaces() {
    assertThat(joined("join(data->argv);", Layout.PLY, List.of("ls", "-l", "a b")))
        .isEqualTo("ls -l a b\n");
  }

  @Test
  void aSeparatorCanBeGiven() {
    assertThat(joined("join(args.argv, \", \");", Layout.BPFTRACE, List.of("ls", "-l")))
        .isEqualTo("ls, -l\n");
  }

  @Test
  void anEmptyArrayIsAnEmptyLine() {
    assertThat(joined("join(args.argv);", Layout.BPFTRACE, List.of())).isEqualTo("\n");
  }

  @Test
  void emptyStringsCount() {
    assertThat(joined("join(args.argv, \",\");", Layout.PLY, List.of("", "x", "", "")))
        .isEqualTo(",x,,\n");
  }

  @Test
  void jsonHasNoNewline() {
    assertThat(joined("join(args.argv);", Layout.BPFTRACE_JSON, List.of("echo", "\"")))
        .isEqualTo("{\"type\": \"join\", \"data\": \"echo \\\"\"}\n");
  }

  @Test
  void controlCharactersAreEscaped() {
    assertThat(joined("join(args.argv);", Layout.PLY, List.of("\u001b[2J", "x\ny")))
        .isEqualTo("\\x1b[2J x\\ny\n");
  }

  @Test
  void atMost64StringsAreShown() {
    assertThat(joined("join(args.argv, \"\");", Layout.PLY, Collections.nCopies(64, "a")))
        .isEqualTo("a".repeat(64) + "\n");
    assertThat(joined("join(args.argv, \"\");", Layout.PLY, Collections.nCopies(65, "a")))
        .isEqualTo("a".repeat(64) + "..\n");
  }

  @Test
  void longStringsAreCut() {
    String longest = "a".repeat(1023);
    assertThat(joined("join(args.argv);", Layout.PLY, List.of(longest, "b")))
        .isEqualTo(longest + " b\n");
    assertThat(joined("join(args.argv);", Layout.PLY, List.of(longest + "a", "b")))
        .isEqualTo(longest + ".. b\n");
    assertThat(joined("join(args.argv);", Layout.PLY, List.of(longest + "a".repeat(9000), "b")))
        .isEqualTo(longest + ".. b\n");
  }

  @Test
  void whatIsTooMuchInAllIsCut() {
    String part = "a".repeat(1000);
    assertThat(joined("join(args.argv);", Layout.PLY, Collections.nCopies(9, part)))
        .isEqualTo((part + " ").repeat(5) + "..\n");
  }
}
