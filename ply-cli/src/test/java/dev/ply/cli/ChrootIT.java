package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One process by {@code -p} whose root is another, with a library that has functions and USDT
 * probes, as a Java runtime in a jail.
 */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ChrootIT {
  /** A function, and the note of a probe as systemtap's sdt.h writes it. */
  private static final String LIBRARY =
      """
      __attribute__((noinline, noclone)) int f(int a) {
        __asm__ volatile("990: nop\\n"
                         ".pushsection .note.stapsdt,\\"?\\",\\"note\\"\\n"
                         ".balign 4\\n .4byte 992f-991f, 994f-993f, 3\\n"
                         "991: .asciz \\"stapsdt\\"\\n 992: .balign 4\\n"
                         "993: .8byte 990b, 0, 0\\n"
                         ".asciz \\"hotspot\\"\\n .asciz \\"tick\\"\\n .asciz \\"-4@%0\\"\\n"
                         "994: .balign 4\\n .popsection\\n" ::"r"(a));
        return a + 1;
      }
      """;

  /** With an argument it changes its root itself, when all is mapped. */
  private static final String PROGRAM =
      """
      #include <stdio.h>
      #include <unistd.h>
      int f(int a);
      int main(int count, char **words) {
        if (count > 1 && (chroot(words[1]) != 0 || chdir("/") != 0)) return 1;
        puts("ready");
        fflush(stdout);
        while (getppid() > 1) {
          f(7);
          usleep(1000);
        }
        return 0;
      }
      """;

  private static final Pattern FILE = Pattern.compile("(?m)(/\\S+) \\(0x");

  @TempDir Path directory = Path.of("");

  /** How a process comes to its root; JAIL is the directory. */
  enum Way {
    CHROOT("exec chroot JAIL /app"),
    CHROOT_IN_A_NAMESPACE("exec unshare --mount chroot JAIL /app"),
    MOUNTED_ROOT("exec unshare --mount sh -c 'mount --bind JAIL JAIL && exec chroot JAIL /app'"),
    CHROOT_LATER("LD_LIBRARY_PATH=JAIL/lib exec JAIL/app JAIL"),
    NAMESPACE_ALONE("LD_LIBRARY_PATH=JAIL/lib exec unshare --mount JAIL/app");

    private final String command;

    Way(String command) {
      this.command = command;
    }

    boolean hasOwnRoot() {
      return this != NAMESPACE_ALONE;
    }
  }

  @BeforeEach
  void assumeTracing() throws IOException, InterruptedException {
    Live.assumeTracing();
    Live.assumeSharedLibraries();
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/chroot")), "there is no chroot here");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "there is no C compiler here");
    build();
  }

  private void build() throws IOException, InterruptedException {
    Path jail = directory.resolve("jail");
    Path libraries = Files.createDirectories(jail.resolve("lib"));
    Path source = Files.writeString(directory.resolve("jvm.c"), LIBRARY);
    Path program = Files.writeString(directory.resolve("app.c"), PROGRAM);
    Path library = libraries.resolve("libjvm.so");
    run(
        "cc",
        "-O1",
        "-shared",
        "-fPIC",
        "-Wl,-soname,libjvm.so",
        "-o",
        library.toString(),
        source.toString());
    String app = jail.resolve("app").toString();
    run("cc", "-O1", "-o", app, program.toString(), library.toString(), "-Wl,-rpath,/lib");
    // Absolute, as in the images of containers: they lead nowhere from the tracer's root.
    Files.createSymbolicLink(jail.resolve("abs"), Path.of("/lib"));
    Files.createSymbolicLink(jail.resolve("alias.so"), Path.of("/../abs/./libjvm.so"));
    Matcher needed = FILE.matcher(run("ldd", app));
    while (needed.find()) {
      Path file = Path.of(needed.group(1));
      Path copy = jail.resolve(Path.of("/").relativize(file));
      if (!file.startsWith(jail)) {
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @ParameterizedTest
  @EnumSource
  void itsLibrariesAreFound(Way way) throws Exception {
    String jail = directory.resolve("jail").toString();
    Process traced =
        new ProcessBuilder("sh", "-c", way.command.replace("JAIL", jail))
            .redirectErrorStream(true)
            .start();
    try {
      String line = traced.inputReader(StandardCharsets.UTF_8).readLine();
      assumeTrue("ready".equals(line), () -> "no process can be started so: " + line);
      String path = (way.hasOwnRoot() ? "" : jail) + "/lib/libjvm.so";
      List<String> probes =
          new ArrayList<>(
              List.of(
                  "uprobe:*jvm*:f",
                  "uprobe:jvm:f",
                  "uprobe:libjvm:f",
                  "uprobe:" + path + ":f",
                  "uprobe:" + traced.pid() + ":f",
                  "usdt::hotspot:*",
                  "usdt:" + path + ":hotspot:tick"));
      if (way.hasOwnRoot()) {
        probes.addAll(
            List.of(
                "uprobe:/alias.so:f",
                "uprobe:/abs/libjvm.so:f",
                "uprobe:/ab?/libjvm*:f",
                "uprobe:/abs/../lib/../../lib/libjvm.so:f",
                "usdt:/abs/libjvm.so:hotspot:tick"));
      }
      for (String probe : probes) {
        String script = probe + " { printf(\"%d %d\\n\", arg0, pid == $target); exit(0); }";
        assertThat(Call.ply("-q", "-p", Long.toString(traced.pid()), script))
            .as("%s of %s", probe, way)
            .isEqualTo(new Call(0, "7 1\n", ""));
      }
    } finally {
      traced.destroyForcibly().waitFor();
    }
  }
}
