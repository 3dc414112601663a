package dev.ply.kernel.user;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Asks a Java runtime to list what it has compiled. */
final class JavaRuntime {
  private static final long PATIENCE_SECONDS = 10;

  private JavaRuntime() {}

  /** Tells whether a process is one. */
  static boolean isIn(ProcessMaps maps) {
    return maps.codeFiles().stream().anyMatch(file -> file.name().endsWith("/libjvm.so"));
  }

  /**
   * Has a runtime write its list to where perf(1) looks for it. Runtimes since JDK 17 know how, and
   * listen to their own user and to root.
   */
  static void writePerfMap(int pid) {
    Optional<Path> jcmd = jcmd();
    if (jcmd.isEmpty()) {
      return;
    }
    try {
      Process process =
          new ProcessBuilder(jcmd.get().toString(), Integer.toString(pid), "Compiler.perfmap")
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      // Then its frames have no names, which is to be seen.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Finds the command of this process's own runtime, or of its {@code $PATH}. One beside the other
   * process's program would be run with this user's rights, whoever has put it there.
   */
  private static Optional<Path> jcmd() {
    Path own = Path.of(System.getProperty("java.home", "/"), "bin");
    return Stream.concat(Stream.of(own), BinaryFinder.programDirectories())
        .map(directory -> directory.resolve("jcmd"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
