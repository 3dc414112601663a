package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command as its launcher starts it, from the jars that the build has made. */
@Timeout(300)
@Tag("runtime")
class LauncherIT {
  private static final Path BIN = Path.of("bin").toAbsolutePath();

  @TempDir Path directory = Path.of("");

  private String run(String... command) throws IOException, InterruptedException {
    Path errors = directory.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("PATH", BIN + ":" + System.getenv("PATH"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + ": " + output;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/usr/bin/env ply", "PLY", "PLY -e"})
  void aScriptMayNameItsInterpreter(String interpreter) throws Exception {
    Path script = directory.resolve("script");
    String first = "#!" + interpreter.replace("PLY", BIN.resolve("ply").toString());
    Files.writeString(script, first + "\nBEGIN { exit(); nothing; }\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(run(script.toString())).isEqualTo("1: ");
    assertThat(directory.resolve("errors"))
        .content()
        .contains("\"nothing\" is not defined\n  " + script + ":2:17\n");
  }

  @Test
  void aLinkCalledBpftraceHasItsOptions() throws Exception {
    Path link = directory.resolve("bpftrace");
    Files.createSymbolicLink(link, BIN.resolve("ply"));
    assertThat(run(link.toString(), "--dry-run", "-e", "BEGIN { @ = count(); }")).isEqualTo("0: ");
    assertThat(run(link.toString(), "--help")).startsWith("0: USAGE:\n    ply bt ");
    Path script = directory.resolve("tool.bt");
    Files.writeString(script, "#!" + link + " --dry-run\n// A tool.\nBEGIN { nothing; }\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(run(script.toString(), "a", "b")).isEqualTo("1: ");
    assertThat(directory.resolve("errors"))
        .content()
        .contains("\"nothing\" is not defined\n  " + script + ":3:9\n");
  }

  @Test
  void aLinkCalledArgdistHasItsOptions() throws Exception {
    Path link = directory.resolve("argdist");
    Files.createSymbolicLink(link, BIN.resolve("ply"));
    assertThat(run(link.toString(), "-S", "-C", "p:c:write(int fd):int:fd"))
        .contains("uprobe:c:write {\n  @write[(int)arg0] = count();\n}\n");
    assertThat(run(link.toString(), "--help")).startsWith("0: usage: ply argdist ");
    assertThat(run(link.toString())).isEqualTo("1: ");
  }

  @Test
  void aProgramMayBePipedIn() throws Exception {
    String ply = BIN.resolve("ply").toString();
    assertThat(run("sh", "-c", "echo 'BEGIN { @ = count(); }' | " + ply + " -e -S -"))
        .startsWith("0: -- ir\n(clause BEGIN (update @ (count)))\n");
  }

  /** As in cron, or on a rescue system. */
  @ParameterizedTest
  @ValueSource(strings = {"LC_ALL=C", "LC_ALL= LC_CTYPE=POSIX", "LC_ALL= LC_CTYPE= LANG="})
  void textIsReadInEveryLocale(String locale) throws Exception {
    String program = "BEGIN { print(\\\"gr\\303\\274\\303\\237e\\\"); }";
    String call = " \"$0\" -e -S \"$(printf \"" + program + "\")\"";
    assertThat(run("sh", "-c", locale + call, BIN.resolve("ply").toString()))
        .startsWith("0: -- ir\n(clause BEGIN (print \"grüße\"))\n");
  }

  /** An archive that cannot be created costs each startup a multiple of its time, in silence. */
  @Test
  void startsUseTheClassArchive() throws Exception {
    String ply = BIN.resolve("ply").toString();
    assertThat(run(ply, "-v")).startsWith("0: ");
    String archive = BIN.resolveSibling("target/launch") + "/";
    ProcessBuilder builder = new ProcessBuilder(ply, "-e", "-");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process waiting = builder.start();
    try {
      Path maps = Path.of("/proc/" + waiting.pid() + "/maps");
      // The shell becomes Java, which maps the archive before it waits for the program.
      while (!Files.readString(maps).contains(archive)) {
        assertThat(waiting.isAlive()).isTrue();
        // Reading such a file does not heed the timeout's interrupt.
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
      }
    } finally {
      waiting.destroyForcibly();
    }
  }

  /** With the jars and the class path that only exports of metrics have. */
  @Test
  void aDeadCollectorIsOneSentence() throws Exception {
    Live.assumeTracing();
    String call = " --otlp http://127.0.0.1:9 'BEGIN { @ = count(); exit(0); }' 2>&1 >/dev/null";
    assertThat(run("sh", "-c", "\"$0\"" + call, BIN.resolve("ply").toString()))
        .startsWith("0: warning: metrics cannot be sent to http://127.0.0.1:9/v1/metrics")
        .hasLineCount(1);
  }

  @Test
  void aCommandHasTheLocaleOfItsCaller() throws Exception {
    Live.assumeTracing();
    String command = "env | grep -E \"^(LC_ALL|PLY_.*)=\"; printf \"gr\\303\\274n\"";
    String call = " \"$0\" -c '" + command + "' 'END { }'";
    String ply = BIN.resolve("ply").toString();
    assertThat(run("sh", "-c", "unset PLY_CACHE; LC_ALL=C" + call, ply))
        .isEqualTo("0: LC_ALL=C\ngrün");
    assertThat(run("sh", "-c", "unset PLY_CACHE LC_ALL; LC_CTYPE=C" + call, ply))
        .isEqualTo("0: grün");
  }

  @Test
  void itsHelpGoesToTheOutput() throws Exception {
    assertThat(run(BIN.resolve("ply").toString(), "--help")).startsWith("0: usage: ply ");
  }
}
