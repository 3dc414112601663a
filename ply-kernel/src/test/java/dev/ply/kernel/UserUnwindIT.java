package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.TraceOptions;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.unwind.UnwindImage;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.kernel.unwind.RecordedStack;
import dev.ply.lang.PlyScript;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in the kernel find the frames that a process knows of itself. */
@Tag("live")
@Tag("any-kernel")
class UserUnwindIT {
  /** How often the functions are called before, to measure what a hit costs. */
  private static final String REPEATED = System.getProperty("harness.hits", "0");

  @TempDir private Path directory;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-O2 -fomit-frame-pointer",
        "-O3 -fomit-frame-pointer -static",
      })
  void framesAreThoseThatTheProcessKnows(String options) throws IOException, InterruptedException {
    Optional<Path> program = RecordedStack.compile(directory, "gcc", List.of(options.split(" ")));
    assumeThat(program).as("gcc").isPresent();
    for (String how : List.of("plain", "signal")) {
      Process process = new ProcessBuilder(program.orElseThrow().toString(), how, REPEATED).start();
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        assertThat(lines.readLine()).isEqualTo("ready");
        UnwindImage image = new UnwindImage();
        Path maps = Path.of("/proc", Long.toString(process.pid()), "maps");
        image.add((int) process.pid(), RecordedStack.mappings(Files.readAllLines(maps)));
        traced(program.orElseThrow(), image, process, lines, how);
      } finally {
        process.destroy();
      }
    }
  }

  private static void traced(
      Path program, UnwindImage image, Process process, BufferedReader lines, String how)
      throws IOException {
    RunningKernel kernel = new RunningKernel();
    BpfObject object =
        new TraceCompiler(kernel, CompilerOptions.DEFAULT.unwinding(image.sizes()))
            .compile(PlyScript.parse("uprobe:" + program + ":record { @[ustack] = count(); }"));
    List<List<Long>> stacks = new ArrayList<>();
    RecordedStack recorded;
    try (KernelMachine machine =
        KernelMachine.load(object, kernel, new Attacher(Tracefs::open), TraceOptions.DEFAULT)) {
      image
          .processes()
          .forEach(
              (pid, value) ->
                  machine.update(object.map(UnwindMaps.PROCESSES).orElseThrow(), key(pid), value));
      List<byte[]> chunks = image.chunks();
      for (int i = 0; i < chunks.size(); i++) {
        machine.update(object.map(UnwindMaps.ROWS).orElseThrow(), key(i), chunks.get(i));
      }
      machine.open(object.programs());
      assertThat(machine.attach(object.programs())).isEmpty();
      process.getOutputStream().close();
      recorded = RecordedStack.of(lines);
      machine.detach();
      machine.read(
          object.map(":ustacks").orElseThrow(),
          (id, values) -> stacks.add(addresses(values.get(0))));
    }
    assertThat(stacks).as(how).isNotEmpty();
    assertThat(stacks)
        .as(how)
        .anySatisfy(
            stack -> {
              assertThat(stack.subList(1, stack.size()))
                  .startsWith(recorded.frames().toArray(Long[]::new));
              assertThat(stack.get(stack.size() - 1)).isPositive();
            });
  }

  private static List<Long> addresses(ByteBuffer trace) {
    ByteBuffer words = trace.duplicate().order(ByteOrder.nativeOrder());
    long count = words.getLong() / Long.BYTES;
    return LongStream.generate(words::getLong).limit(count).boxed().toList();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(number).array();
  }
}
