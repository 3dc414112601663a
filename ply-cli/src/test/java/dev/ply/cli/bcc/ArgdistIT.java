package dev.ply.cli.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.cli.CommandProcess;
import dev.ply.kernel.Live;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whole runs of {@code ply argdist}, each on a process that it starts and whose calls are known.
 */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ArgdistIT {
  private static final String READS = "exec dd if=/dev/zero of=/dev/null bs=7 count=50 status=none";
  private static final String READ = "read(int fd, void *buf, size_t count)";

  private Process traced;

  @BeforeEach
  void start() throws IOException {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    // Waits for a line before it reads.
    traced = new ProcessBuilder("sh", "-c", "read line; " + READS).start();
  }

  @AfterEach
  void end() {
    if (traced != null) {
      traced.destroyForcibly();
    }
  }

  /** Runs it until the traced process ends, which begins after the first output. */
  private List<String> lines(String... specifiers) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("argdist", "-c", "-p", Long.toString(traced.pid())));
    arguments.addAll(List.of(specifiers));
    Process ply = CommandProcess.start(arguments.toArray(String[]::new));
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      String first = output.readLine();
      assertThat(first).matches("\\[\\d\\d:\\d\\d:\\d\\d]");
      traced.getOutputStream().write('\n');
      traced.getOutputStream().close();
      List<String> lines = new ArrayList<>();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith("[")) {
          lines.clear();
        } else {
          lines.add(line);
        }
      }
      assertThat(ply.waitFor()).isZero();
      return lines;
    } finally {
      ply.destroyForcibly();
    }
  }

  @Test
  void callsOfALibraryAreCounted() throws Exception {
    assertThat(
            lines(
                "-C",
                "p:c:" + READ + ":size_t:count:count==7",
                "-C",
                "r:c:" + READ + ":size_t,int,int:$entry(count),$entry(fd),$retval:$retval==7",
                "-H",
                "p:c:" + READ + ":size_t:count:count==7#bytes"))
        .containsExactly(
            "p:c:" + READ + ":size_t:count:count==7",
            "\tCOUNT      EVENT",
            "\t50         count = 7",
            "r:c:" + READ + ":size_t,int,int:$entry(count),$entry(fd),$retval:$retval==7",
            "\tCOUNT      EVENT",
            "\t50         count = 7, fd = 0, $retval = 7",
            "     bytes               : count     distribution",
            "         0 -> 1          : 0        |" + " ".repeat(40) + "|",
            "         2 -> 3          : 0        |" + " ".repeat(40) + "|",
            "         4 -> 7          : 50       |" + "*".repeat(40) + "|");
  }

  @Test
  void tracepointsAndStringsAreCounted() throws Exception {
    assertThat(
            lines(
                "-C",
                "t:syscalls:sys_enter_read():u64,char*:args->count,$COMM:args->count == 7#reads",
                "-C",
                "t:syscalls:sys_enter_openat():char*:args->filename:STRCMP(\"/dev/\","
                    + " args->filename)",
                "-T",
                "1"))
        .containsExactly(
            "reads",
            "\tCOUNT      EVENT",
            "\t50         args->count = 7, $COMM = dd",
            "t:syscalls:sys_enter_openat():char*:args->filename:STRCMP(\"/dev/\", args->filename)",
            "\tCOUNT      EVENT",
            "\t1          args->filename = /dev/zero");
  }

  @Test
  void anInterruptionShowsTheLastInterval() throws Exception {
    Process ply =
        CommandProcess.start(
            "argdist", "-i", "1", "-p", Long.toString(traced.pid()), "-C", "p:c:" + READ);
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).startsWith("[");
      new ProcessBuilder("kill", "-INT", Long.toString(ply.pid())).start().waitFor();
      List<String> lines = output.lines().toList();
      assertThat(lines.subList(lines.size() - 3, lines.size()))
          .satisfies(last -> assertThat(last.get(0)).matches("\\[\\d\\d:\\d\\d:\\d\\d]"))
          .endsWith("p:c:" + READ, "\tCOUNT      EVENT");
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  @Test
  void anUnknownLibraryIsNamed() {
    Call call = Call.ply("argdist", "-n", "1", "-C", "p:nosuchlibrary:f()");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors()).contains("nosuchlibrary").contains("<specifier>:1:");
  }
}
