package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.Session;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.target.UserSymbols.Frame;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stacks of a process that unloads a library, and loads another at the same address. */
@Tag("live")
@Tag("any-kernel")
@Tag("any-java")
class ReplacedLibraryIT {
  private static final int MOST_CALLS = 100_000;

  @TempDir private static Path directory;

  private Optional<Process> host = Optional.empty();
  private BufferedReader output;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    Live.assumeTracing();
    Path program = compile("host.c", "host", "-O2");
    Path first = compile("plugin.c", "libfirst.so", "-O1", "-fomit-frame-pointer", "-shared");
    Path second =
        compile("plugin.c", "libsecond.so", "-O1", "-fomit-frame-pointer", "-shared", "-DSECOND");
    Process process =
        new ProcessBuilder(program.toString(), first.toString(), second.toString()).start();
    host = Optional.of(process);
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  @AfterEach
  void end() {
    host.ifPresent(Process::destroyForcibly);
  }

  private static Path compile(String source, String name, String... options)
      throws IOException, InterruptedException {
    if (Files.exists(directory.resolve(name))) {
      return directory.resolve(name);
    }
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("-fPIC", "-Wno-unused-result", "-ldl"));
    Optional<Path> compiled = CompiledC.compile(directory, source, "gcc", all);
    assumeThat(compiled).as("gcc").isPresent();
    return Files.move(compiled.orElseThrow(), directory.resolve(name));
  }

  private String answer(String line) throws IOException {
    Process process = host.orElseThrow();
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return output.readLine();
  }

  private static List<List<Frame>> stacks(Session session) {
    List<List<Frame>> stacks = new ArrayList<>();
    session
        .table("@")
        .rows()
        .forEach(row -> stacks.add(((Datum.UserStack) row.key().parts().get(0)).frames()));
    return stacks;
  }

  private Session writes(KernelTracer tracer) {
    return tracer.start(
        PlyScript.parse(
            "tracepoint:syscalls:sys_enter_write / pid == "
                + host.orElseThrow().pid()
                + " && (int) data->fd == -1 / { @[ustack] = count(); }"));
  }

  private static boolean isIn(Frame frame, String function) {
    return frame.symbol().filter(symbol -> symbol.name().equals(function)).isPresent();
  }

  private static boolean isEither(Frame frame) {
    return frame.symbol().isEmpty()
        && frame.binary().equals(Optional.of("libfirst.so or libsecond.so"));
  }

  /** Until the tables are those of the second library, in a second or so. */
  @Test
  void functionsOfEitherAreSaidToBeOfEither() throws IOException {
    String address = answer("1");
    answer("x");
    try (KernelTracer tracer = KernelTracer.open();
        Session session = writes(tracer)) {
      answer("x");
      assertThat(stacks(session))
          .singleElement()
          .satisfies(stack -> assertThat(stack).anyMatch(frame -> isIn(frame, "first_inner")));
      assumeThat(answer("2")).as("loaded at the same address").isEqualTo(address);
      int calls = 0;
      do {
        answer("x");
        calls++;
      } while (calls < MOST_CALLS
          && (calls % 100 > 0
              || stacks(session).stream().filter(ReplacedLibraryIT::isWhole).count() < 2));
      session.stop();
      assertThat(stacks(session)).filteredOn(ReplacedLibraryIT::isWhole).hasSize(2);
      // One has been read before.
      assertThat(stacks(session))
          .allMatch(
              stack ->
                  stack.stream().anyMatch(frame -> isEither(frame) || isIn(frame, "first_inner")));
    }
  }

  private static boolean isWhole(List<Frame> stack) {
    return stack.size() > 3 && isIn(stack.get(3), "main");
  }

  @Test
  void theSameLibraryAgainKeepsItsNames() throws IOException {
    String address = answer("1");
    answer("x");
    try (KernelTracer tracer = KernelTracer.open();
        Session session = writes(tracer)) {
      answer("x");
      assumeThat(answer("1")).as("loaded at the same address").isEqualTo(address);
      answer("x");
      session.stop();
      assertThat(stacks(session))
          .isNotEmpty()
          .allSatisfy(stack -> assertThat(stack).anyMatch(frame -> isIn(frame, "first_inner")));
      assertThat(session.lost(Loss.CUT_STACKS)).isZero();
    }
  }
}
