package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.lang.PlyScript;
import dev.ply.machine.KernelVersion;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.target.JavaCode;
import dev.ply.target.UserSymbols.Frame;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stacks of programs as distributions build them, from a system call to the thread's start. */
@Tag("live")
@Tag("oldest")
class WholeStackIT {
  private static final int MOST_LINES = 100_000;
  private static final int MOST_STARTS = 5;

  /** Not on aarch64. */
  private static final Path VFORK = Path.of("/sys/kernel/tracing/events/syscalls/sys_enter_vfork");

  private static final JavaCode.Method WRITE =
      new JavaCode.Method(Echo.class.getName(), "write", "(I)V");

  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  /** Writes a line for each that it reads, from a few methods down. */
  static final class Echo {
    private Echo() {}

    public static void main(String... arguments) throws IOException {
      for (int read = System.in.read(); read >= 0; read = System.in.read()) {
        if (read == '\n') {
          write(3);
        }
      }
    }

    private static void write(int depth) {
      if (depth > 0) {
        write(depth - 1);
      } else {
        System.out.println("x");
      }
    }
  }

  private BufferedReader start(String... command) throws IOException {
    Process process = new ProcessBuilder(command).start();
    started.add(process);
    return process.inputReader(StandardCharsets.ISO_8859_1);
  }

  private void line(BufferedReader output) throws IOException {
    Process process = started.get(0);
    process.getOutputStream().write("x\n".getBytes(StandardCharsets.ISO_8859_1));
    process.getOutputStream().flush();
    assertThat(output.readLine()).isEqualTo("x");
  }

  private static Session writes(KernelTracer tracer, String filter) {
    return tracer.start(
        PlyScript.parse(
            "tracepoint:syscalls:sys_enter_write / " + filter + " / { @[ustack] = count(); }"));
  }

  private static List<List<Frame>> stacks(Session session) {
    List<List<Frame>> stacks = new ArrayList<>();
    session
        .table("@")
        .rows()
        .forEach(row -> stacks.add(((Datum.UserStack) row.key().parts().get(0)).frames()));
    return stacks;
  }

  private static Frame last(List<Frame> stack) {
    return stack.get(stack.size() - 1);
  }

  @Test
  void aSelectedProcessIsWholeFromTheFirstHit() throws IOException {
    BufferedReader output = start("cat");
    line(output);
    // A trace attaches after a while even if tables are missing: on a slow machine, try again.
    int starts = 0;
    long cut;
    List<Frame> ends;
    do {
      try (KernelTracer tracer = KernelTracer.open();
          Session session = writes(tracer, "pid == " + started.get(0).pid())) {
        line(output);
        session.stop();
        cut = session.lost(Loss.CUT_STACKS);
        ends = stacks(session).stream().map(WholeStackIT::last).toList();
      }
      starts++;
    } while (cut > 0 && starts < MOST_STARTS);
    assertThat(cut).isZero();
    assertThat(ends).singleElement().matches(frame -> frame.binary().toString().contains("cat"));
  }

  @Test
  void aLengthIsThatOfTheStackThatIsPrinted() throws IOException {
    BufferedReader output = start("cat");
    line(output);
    List<String> printed = Collections.synchronizedList(new ArrayList<>());
    String script =
        "tracepoint:syscalls:sys_enter_write / pid == "
            + started.get(0).pid()
            + " / { printf(\"%d%s\", len(ustack), ustack); }";
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.prepare(PlyScript.parse(script)).printTo(printed::add).start()) {
      line(output);
      session.stop();
    }
    String stack = String.join("", printed);
    assertThat(stack).startsWith(stack.chars().filter(one -> one == '\t').count() + "\n");
  }

  /** The C library's vfork has its return address in a register while the child runs. */
  @Test
  void shellsAreWholeWhereTheyStartPrograms() throws IOException {
    assumeThat(VFORK).exists();
    BufferedReader output = start("sh", "-c", "while read a; do env echo $a; done");
    line(output);
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer.start(
                PlyScript.parse(
                    "tracepoint:syscalls:sys_enter_vfork / pid == %d / { @[ustack] = count(); }"
                        .formatted(started.get(0).pid())))) {
      line(output);
      session.stop();
      assumeThat(stacks(session)).as("calls of vfork").isNotEmpty();
      assertThat(stacks(session))
          .allSatisfy(stack -> assertThat(last(stack).binary().orElse("")).contains("sh"));
    }
  }

  @Test
  void otherProcessesAreLearnedAlsoAfterExec() throws IOException {
    BufferedReader output = start("sh", "-c", "read a; echo $a; exec cat");
    long pid = started.get(0).pid();
    try (KernelTracer tracer = KernelTracer.open();
        Session session = writes(tracer, "pid >= " + pid + " && pid <= " + pid)) {
      long lines = 0;
      do {
        line(output);
        lines++;
      } while (lines < MOST_LINES && session.lost(Loss.CUT_STACKS) == lines);
      session.stop();
      assertThat(stacks(session))
          .anySatisfy(stack -> assertThat(last(stack).binary()).contains("cat"));
      assertThat(stacks(session))
          .allSatisfy(
              stack ->
                  assertThat(last(stack))
                      .matches(frame -> frame.binary().isPresent() || isMarker(frame)));
    }
  }

  /** What was mapped since the tables were read is in no known code. */
  private static boolean isMarker(Frame frame) {
    return frame.toString().equals("[by frame pointers: unwind tables were not read yet]")
        || frame.toString().equals("[unwound to here: the caller is in no known code]");
  }

  /** One for each depth. */
  private static boolean isWrite(Frame frame) {
    return frame.java().flatMap(JavaCode::method).filter(WRITE::equals).isPresent();
  }

  static Stream<RunningKernel> kernels() {
    return Stream.of(new RunningKernel(), RunningKernel.as(new KernelVersion(5, 10, 0)));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void javaIsWholeWithoutFramePointers(RunningKernel kernel) throws IOException {
    BufferedReader output = start(JavaProcess.command(Echo.class).toArray(String[]::new));
    line(output);
    try (KernelTracer tracer = KernelTracer.open(kernel, CompilerOptions.DEFAULT);
        Session session = writes(tracer, "pid == " + started.get(0).pid())) {
      // A slow machine is still reading when it has waited long enough.
      long cut = -1;
      for (long lines = 0; lines < MOST_LINES && cut < session.lost(Loss.CUT_STACKS); lines++) {
        cut = session.lost(Loss.CUT_STACKS);
        line(output);
      }
      for (int i = 0; i < 20; i++) {
        line(output);
      }
      session.stop();
      assertThat(session.lost(Loss.CUT_STACKS)).isEqualTo(cut);
      assertThat(stacks(session))
          .anySatisfy(stack -> assertThat(last(stack).binary().orElse("")).startsWith("libc"));
      assertThat(stacks(session))
          .anySatisfy(stack -> assertThat(stack.stream().filter(WholeStackIT::isWrite)).hasSize(4));
      assertThat(stacks(session))
          .allSatisfy(
              stack ->
                  assertThat(last(stack))
                      .matches(
                          frame ->
                              frame.binary().orElse("").startsWith("libc") || isMarker(frame)));
    }
  }
}
