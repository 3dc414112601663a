package dev.ply.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.Terminal;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import dev.ply.lang.PlyScript;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody who sees nothing is told why, once. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class SilenceIT {
  private static final String NEVER = "tracepoint:sched:sched_process_hang";
  private static final String OFTEN = "tracepoint:syscalls:sys_enter_openat";

  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final Output output = new Output(OutputStream.nullOutputStream());
  private final Console console =
      new Streams(InputStream.nullInputStream(), output, new ErrorStream(errors), Terminal.SHOWN)
          .console();

  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  /** Returns what is said while this process opens a file. */
  private String said(String script, Runnable meanwhile) throws Exception {
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(PlyScript.parse(script))) {
      Silence silence = new Silence(console, Duration.ZERO, Duration.ZERO);
      silence.watch(session);
      assertThat(Files.readAllBytes(Path.of("/proc/self/comm"))).isNotEmpty();
      meanwhile.run();
      silence.watch(session);
      silence.watch(session);
      silence.end();
      return errors.toString(StandardCharsets.UTF_8);
    }
  }

  @Test
  void probesThatAreNeverHitAndFiltersThatAreNeverTrueAreTold() throws Exception {
    assertThat(
            said(
                NEVER + " { @ = count(); } " + OFTEN + " / pid == 0 / { @b = count(); }", () -> {}))
        .startsWith("nothing for 0 s; hits within the last 0 s:\n")
        .contains("\n  " + NEVER + ": none\n")
        .containsPattern(
            "\n  " + OFTEN + ": [1-9]\\d*, all filtered out, or nothing of them is shown\n")
        .hasLineCount(3);
  }

  @Test
  void whoSeesSomethingIsToldNothing() throws Exception {
    assertThat(said(OFTEN + " { @b = count(); }", () -> {})).isEmpty();
    assertThat(said(NEVER + " { @b = count(); }", () -> output.print("seen\n"))).isEmpty();
  }

  @Test
  void programsForAllSystemCallsAreLeftOut() throws Exception {
    assertThat(said("tracepoint:syscalls:sys_enter_* / pid == 0 / { @ = count(); }", () -> {}))
        .doesNotContain(": none");
  }
}
