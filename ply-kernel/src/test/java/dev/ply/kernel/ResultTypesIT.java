package dev.ply.kernel;

import static dev.ply.Values.func;
import static dev.ply.Values.pid;
import static dev.ply.Values.retval;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
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

/** Results of functions of a program that the test compiles, with debug information or without. */
@Tag("live")
@Tag("any-kernel")
class ResultTypesIT {
  /** The register of each result has other bits than those of the result. */
  private static final String PROGRAM =
      """
      #include <stdbool.h>
      #include <stdio.h>
      enum colour { RED = -1, GREEN = 2 };
      typedef const volatile int number_t;
      #define RETURNS(name, type, value) \\
        __attribute__((noinline)) type name(void) { \\
          __asm__ volatile("" ::: "memory"); \\
          return value; \\
        }
      RETURNS(f_int, int, -1)
      RETURNS(f_typedef, number_t, -2)
      RETURNS(f_unsigned, unsigned, 4294967294u)
      RETURNS(f_long, long, -3)
      RETURNS(f_huge, unsigned long, 18446744073709551615ul)
      RETURNS(f_enum, enum colour, RED)
      RETURNS(f_text, const char *, "text")
      RETURNS(f_double, double, 1.5)
      long wide = 0x7777777777777700;
      // What the ABI leaves open has other bits.
      #define LOWEST(name, type, value) \\
        __attribute__((noinline)) type name(void) { \\
          register long all __asm__(REGISTER) = wide | value; \\
          __asm__ volatile("" : "+r"(all)); \\
          return (type)all; \\
        }
      #ifdef __x86_64__
      #define REGISTER "rax"
      #else
      #define REGISTER "x0"
      #endif
      LOWEST(f_schar, signed char, 0xfe)
      LOWEST(f_char, char, 'x')
      LOWEST(f_short, short, 0xfffe)
      RETURNS(f_bool, bool, 1)
      int main(void) {
        getchar();
        f_int(); f_typedef(); f_unsigned(); f_long(); f_huge(); f_enum(); f_text(); f_double();
        f_schar(); f_char(); f_bool();
        return 0;
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
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = Files.writeString(directory.resolve("results.c"), PROGRAM);
    Path program = directory.resolve("results" + options.length);
    List<String> command = new ArrayList<>(List.of("gcc", "-O0", "-w"));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-o", program.toString(), source.toString()));
    assumeTrue(
        new ProcessBuilder(command).start().waitFor() == 0, "gcc cannot compile a program here");
    return program.toString();
  }

  /** Runs the program while a probe collects, and returns what it printed. */
  private String run(String program, Probe probe) throws IOException, InterruptedException {
    StringBuilder printed = new StringBuilder();
    Process process = new ProcessBuilder(program).start();
    try (Session session = tracer.prepare(probe).printTo(printed::append).start()) {
      process.getOutputStream().write('\n');
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
      session.stop();
      return printed.toString();
    } finally {
      process.destroyForcibly();
    }
  }

  private static Probe results(String program, String pattern) {
    return Probe.uretprobe(Path.of(program), pattern).printf("%s=%d\n", func(), retval());
  }

  @Test
  @Timeout(300)
  void resultsAreOfTheDeclaredType() throws Exception {
    String program = compiled("-g");
    assertThat(run(program, results(program, "f_[!t]*")).lines())
        .contains(
            "f_int=-1",
            "f_unsigned=4294967294",
            "f_long=-3",
            "f_huge=18446744073709551615",
            "f_enum=-1",
            "f_schar=-2",
            "f_char=120",
            "f_bool=1");
    assertThat(run(program, results(program, "f_typedef"))).isEqualTo("f_typedef=-2\n");
    assertThat(
            run(
                program,
                Probe.uretprobe(Path.of(program), "f_int")
                    .where(retval().lt(0))
                    .printf("%d %ld\n", retval(), retval())))
        .isEqualTo("-1 -1\n");
    assertThat(run(program, Probe.uretprobe(Path.of(program), "f_text").print(retval())))
        .startsWith("0x");
  }

  @Test
  @Timeout(300)
  void withoutDebugInformationTheyAreTheRegister() throws Exception {
    String program = compiled();
    assertThat(run(program, results(program, "f_int"))).isEqualTo("f_int=4294967295\n");
  }

  @Test
  void floatingPointNumbersAreRefused() throws Exception {
    String program = compiled("-g");
    Probe probe = Probe.uretprobe(Path.of(program), "f_double").where(pid().gt(0)).print(retval());
    assertThatThrownBy(() -> tracer.prepare(probe))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("cannot be read");
  }
}
