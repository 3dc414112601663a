package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments of marks that are variables of the program, in one that the test compiles. */
@Tag("live")
@Tag("any-kernel")
class UsdtSymbolsIT {
  private static final String PROGRAM =
      """
      #include <stdio.h>
      long glob = 0x123456789abcdef0;
      static int counter = -7;
      static int numbers[3] = {1, -2, 3};
      static short table[4] = {10, 20, 30, 40};
      __attribute__((noinline)) void tick(void) {
        __asm__ volatile(
            "990: nop\\n"
            ".pushsection .note.stapsdt,\\"\\",\\"note\\"\\n"
            ".balign 4\\n"
            ".4byte 992f-991f,994f-993f,3\\n"
            "991: .asciz \\"stapsdt\\"\\n"
            "992: .balign 4\\n"
            "993: .8byte 990b\\n"
            ".8byte 0\\n"
            ".8byte 0\\n"
            ".asciz \\"app\\"\\n"
            ".asciz \\"tick\\"\\n"
            ".asciz \\"8@glob(%%rip) -4@counter(%%rip) -4@4+numbers(%%rip) -2@table+2(%%rip)"
            " 8@nosuch(%%rip)\\"\\n"
            "994: .balign 4\\n"
            ".popsection\\n"
            :: "m"(glob), "m"(counter), "m"(numbers), "m"(table));
      }
      int main(void) { getchar(); counter--; tick(); return 0; }
      """;

  @TempDir Path directory;

  private String compiled(String option) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "the program is for x86-64");
    Path source = Files.writeString(directory.resolve("marks.c"), PROGRAM);
    Path program = directory.resolve("marks");
    Process gcc =
        new ProcessBuilder("gcc", "-O1", option, "-o", program.toString(), source.toString())
            .start();
    assumeTrue(gcc.waitFor() == 0, "gcc cannot compile a program here");
    return program.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-pie", "-no-pie"})
  @Timeout(300)
  void variablesAreReadWhereverTheProgramIsLoaded(String option) throws Exception {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    String program = compiled(option);
    StringBuilder printed = new StringBuilder();
    Process process = new ProcessBuilder(program).start();
    String mark = "usdt:" + program + ":app:tick ";
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer
                .prepare(
                    PlyScript.parse(mark + "{ printf(\"%lx %d %d %d\", arg0, arg1, arg2, arg3); }"))
                .printTo(printed::append)
                .start()) {
      process.getOutputStream().write('\n');
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
      session.stop();
      assertThat(printed).hasToString("123456789abcdef0 -8 -2 20");
      assertThatThrownBy(() -> tracer.prepare(PlyScript.parse(mark + "{ print(arg4); }")))
          .isInstanceOf(CompilationException.class)
          .hasMessageContaining("cannot be read: 8@nosuch(%rip)");
    } finally {
      process.destroyForcibly();
    }
  }
}
