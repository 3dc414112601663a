package dev.ply.kernel;

import static dev.ply.Values.retval;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments by name of a Go program that the test compiles. */
@Tag("live")
@Tag("any-kernel")
class GoArgumentsIT {
  private static final String PROGRAM =
      """
      package main

      import "os"

      type Place struct {
      	X, Y int32
      	Name string
      }
      type Thing interface{ Size() int }
      type Box struct{ size int }

      //go:noinline
      func (b *Box) Size() int { return b.size }

      //go:noinline
      func add(a int, b int32, s string) int { return a + int(b) + len(s) }

      //go:noinline
      func blank(_ int, s string, n uint8) int { return len(s) + int(n) }

      //go:noinline
      func many(a, b, c, d, e, f, g, h int, s string, i int8, j int16, k int16) int {
      	return a + b + c + d + e + f + g + h + len(s) + int(i) + int(j) + int(k)
      }

      //go:noinline
      func mixed(f float64, n int, b []byte, p Place, x Thing, ok bool) string {
      	if x.Size() > 0 && ok && f > 0 && n > 0 {
      		return p.Name
      	}
      	return string(b)
      }

      func main() {
      	one := make([]byte, 1)
      	os.Stdin.Read(one)
      	add(7, -2, "hello go")
      	blank(1, "blank", 9)
      	many(1, 2, 3, 4, 5, 6, 7, 8, "many", -1, -2, -3)
      	mixed(1.5, 5, []byte("bytes"), Place{3, 4, "name"}, &Box{6}, true)
      }
      """;

  @TempDir Path directory;

  private KernelTracer tracer;

  @BeforeEach
  void open() {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    tracer = KernelTracer.open();
  }

  @AfterEach
  void close() {
    if (tracer != null) {
      tracer.close();
    }
  }

  private String compiled(String... options) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/go")), "there is no /usr/bin/go");
    Path source = Files.writeString(directory.resolve("main.go"), PROGRAM);
    Path program = directory.resolve("program" + options.length);
    List<String> command = new ArrayList<>(List.of("go", "build"));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-o", program.toString(), source.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("GOCACHE", directory.resolve("cache").toString());
    builder.environment().put("GO111MODULE", "off");
    builder.environment().putIfAbsent("HOME", directory.toString());
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
    assumeTrue(builder.start().waitFor() == 0, "go cannot compile a program here");
    return program.toString();
  }

  private String run(String program, String script) throws IOException, InterruptedException {
    StringBuilder printed = new StringBuilder();
    Process process = new ProcessBuilder(program).start();
    try (Session session =
        tracer
            .prepare(PlyScript.parse(script.replace("PROGRAM", program)))
            .printTo(printed::append)
            .start()) {
      process.getOutputStream().write('\n');
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
      session.stop();
      return printed.toString();
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-N -l"})
  @Timeout(600)
  void argumentsAreThoseOfTheSource(String options) throws Exception {
    String program = compiled("-gcflags=" + options);
    assertThat(
            run(
                program,
                """
                uprobe:PROGRAM:main.add { printf("add %d %d %s\\n", args.a, args.b, str(args.s)); }
                uprobe:PROGRAM:main.blank { printf("blank %s %d\\n", args.s, args.n); }
                uprobe:PROGRAM:main.many {
                  printf("many %d %d %d %d ", args.a, args.b, args.g, args.h);
                  printf("%d %d %d\\n", args.i, args.j, args.k);
                }
                uprobe:PROGRAM:main.mixed {
                  printf("mixed %d %d ", args.n, args.b.len);
                  printf("%s %d %d ", str(args.b.array, args.b.len + 1), args.p.X, args.p.Y);
                  printf("%s %d\\n", args.p.Name, args.ok);
                }
                """))
        .isEqualTo(
            """
            add 7 -2 hello go
            blank blank 9
            many 1 2 7 8 -1 -2 -3
            mixed 5 5 bytes 3 4 name 1
            """);
  }

  /** The compiler's debug information tells only where the part that is used is. */
  @Test
  @Timeout(600)
  void stringsOnTheStackAreReadOrRefused() throws Exception {
    String script = "uprobe:PROGRAM:main.many { printf(\"%s %d\", args.s, args.s.len); }";
    assertThat(run(compiled("-gcflags=-N -l"), script)).isEqualTo("many 4");
    String optimised = compiled();
    assertThatThrownBy(() -> run(optimised, script))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"s\" cannot be read: it is optimised out");
  }

  @Test
  @Timeout(600)
  void whatIsInSeveralRegistersOrNoneIsNoNumber() throws Exception {
    String program = compiled();
    assertThatThrownBy(() -> run(program, "uprobe:PROGRAM:main.mixed { print(args.f); }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"f\" cannot be read");
    assertThatThrownBy(() -> run(program, "uprobe:PROGRAM:main.mixed { print(args.p); }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"p\" cannot be read: it is in several registers");
  }

  @Test
  @Timeout(600)
  void returnsAreRefusedSinceTheyCrashPrograms() throws Exception {
    String program = compiled();
    for (String functions : List.of("main.add", "main.*")) {
      Probe probe = Probe.uretprobe(Path.of(program), functions).print(retval());
      assertThatThrownBy(() -> tracer.prepare(probe))
          .isInstanceOf(CompilationException.class)
          .hasMessageContaining("is a function of Go, which moves its stack");
    }
  }
}
