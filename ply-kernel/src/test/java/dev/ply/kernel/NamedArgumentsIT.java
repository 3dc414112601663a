package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.lang.PlyScript;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arguments by name of a program that the test compiles. */
@Tag("live")
@Tag("any-kernel")
class NamedArgumentsIT {
  private static final String MAIN =
      """
      #include <stdio.h>
      int main(void) {
        union either either = {.number = 77};
        struct node last = {0, "last", {7, 8, 9}, {5, 'x'}, {3}, {2, 9, 300}, 1.5, &either, 0};
        struct node first = {&last, "first", {1, -2, 3}, {-6, 'y'}, {4}, {1, 8, 400}, 2.5, &either, 0};
        struct tight tight = {1, 99};
        getchar();
        add(-3, 1UL << 40, "text", &first, GREEN, 2.0, 1, &tight);
        grown(12);
        getchar();
        return 0;
      }
      """;

  @TempDir Path directory;

  @Test
  @Timeout(300)
  void argumentsAreThoseOfTheSource() throws Exception {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    Process process = new ProcessBuilder(compiled().toString()).start();
    String script =
        """
        uprobe:%1$s:add / pid == %2$d / {
          printf("%%d %%ld %%s %%d ", args.small, args.large, str(args.text), args.is);
          $list = args.list;
          printf("%%d %%d %%s ", $list->numbers[1], $list->next->pair.first, str($list->next->name));
          printf("%%d %%d %%d ", $list->flags.high, $list->flags.rest, $list->inner);
          printf("%%d %%d ", $list->either->number, args.tight->eight);
        }
        uprobe:%1$s:grown / pid == %2$d / { printf("%%d\\n", args->by); exit(0); }
        """
            .formatted(directory.resolve("arguments"), process.pid());
    StringBuilder printed = new StringBuilder();
    CompletableFuture<String> whole = new CompletableFuture<>();
    try (var tracer = KernelTracer.open();
        var trace =
            tracer
                .prepare(PlyScript.parse(script))
                .printTo(
                    part -> {
                      printed.append(part);
                      if (printed.indexOf("\n") >= 0) {
                        whole.complete(printed.toString());
                      }
                    });
        var session = trace.start()) {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(whole.get()).isEqualTo("-3 1099511627776 text 1 -2 5 last 8 400 4 77 99 12\n");
      session.stop();
    } finally {
      process.destroyForcibly();
    }
  }

  private Path compiled() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = directory.resolve("arguments.c");
    try (InputStream functions = getClass().getResourceAsStream("/dwarf/arguments.c")) {
      Files.write(source, Optional.ofNullable(functions).orElseThrow().readAllBytes());
    }
    Path main = Files.writeString(directory.resolve("main.c"), "#include \"arguments.c\"\n" + MAIN);
    Path program = directory.resolve("arguments");
    int status =
        new ProcessBuilder("gcc", "-g", "-O0", "-o", program.toString(), main.toString())
            .start()
            .waitFor();
    assumeTrue(status == 0, "gcc cannot compile a program here");
    return program;
  }
}
