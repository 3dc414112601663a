package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A trace that continues as another user: no thread has a capability while results are read. */
@Tag("live")
@Tag("any-kernel")
@Tag("runtime")
@Timeout(300)
class PrivilegeDropIT {
  private static final String NOBODY = "65534:65534";

  private static final Path PARANOID = Path.of("/proc/sys/kernel/perf_event_paranoid");

  @BeforeEach
  void assumeRoot() {
    Live.assumeTracing();
    assumeTrue("root".equals(System.getProperty("user.name")), "this is not root");
  }

  private static Process start(List<String> program, String script) throws Exception {
    return CommandProcess.startUnder(program, "-u", "-k", "--drop-privileges", NOBODY, script);
  }

  /** Returns the users and the capabilities of all threads of a process, each once. */
  private static List<String> privileges(Process process) throws Exception {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return threads
          .flatMap(PrivilegeDropIT::status)
          .filter(line -> line.matches("(Uid|Gid|Groups|CapPrm|CapEff|CapAmb):.*"))
          .map(line -> line.strip().replaceAll("\\s+", " "))
          .distinct()
          .sorted()
          .toList();
    }
  }

  private static Stream<String> status(Path thread) {
    try {
      return Files.readAllLines(thread.resolve("status")).stream();
    } catch (IOException e) {
      // The thread has ended.
      return Stream.empty();
    }
  }

  private static void signal(String signal, Process process) throws Exception {
    new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid()).start().waitFor();
  }

  /** Events, maps, stacks with names of the kernel, signals, END: all of it goes on. */
  @Test
  void noThreadHasACapabilityWhileResultsAreRead() throws Exception {
    Process ply =
        start(
            List.of(),
            "interval:50ms { @on++; if (@on > 10) { printf(\"on\\n\"); } }"
                + " profile:99hz { @[stack] = count(); }"
                + " self:signal:SIGUSR1 { printf(\"signal\\n\"); }"
                + " END { printf(\"bye\\n\"); }");
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      // Events that come between attaching and dropping are read before it.
      do {
        assertThat(output.readLine()).isEqualTo("on");
      } while (!privileges(ply).contains("Uid: 65534 65534 65534 65534"));
      assertThat(privileges(ply))
          .containsExactly(
              "CapAmb: 0000000000000000",
              "CapEff: 0000000000000000",
              "CapPrm: 0000000000000000",
              "Gid: 65534 65534 65534 65534",
              "Groups:",
              "Uid: 65534 65534 65534 65534");
      signal("USR1", ply);
      String line = output.readLine();
      while ("on".equals(line)) {
        line = output.readLine();
      }
      assertThat(line).isEqualTo("signal");
      signal("INT", ply);
      String rest = output.lines().collect(Collectors.joining("\n"));
      assertThat(rest).contains("bye", "@on: ").doesNotContain("error: ");
      assertThat(rest).containsPattern("\t[a-z_]\\w+\\+\\d+");
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  /** Of a process of root that runs since before, whose memory map is read when it is needed. */
  @Test
  void theReaderOfSymbolsKeepsWhatItNeeds() throws Exception {
    Process cat = new ProcessBuilder("cat").start();
    Process ply =
        CommandProcess.startUnder(
            List.of(),
            "-u",
            "--drop-privileges",
            NOBODY,
            "--keep-capabilities",
            "sys_ptrace",
            "interval:50ms { printf(\"on\\n\"); }"
                + " tracepoint:syscalls:sys_enter_write / pid == "
                + cat.pid()
                + " / { @[ustack] = count(); }");
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      do {
        assertThat(output.readLine()).isEqualTo("on");
      } while (!privileges(ply).contains("CapPrm: 0000000000080000"));
      assertThat(privileges(ply))
          .contains("CapEff: 0000000000080000", "CapEff: 0000000000000000")
          .noneMatch(line -> line.startsWith("CapPrm:") && !line.matches(".* 0{11}(00|80)000"))
          .contains("CapAmb: 0000000000000000", "Uid: 65534 65534 65534 65534");
      // Open until the end: the process has to be there when its memory map is read.
      OutputStream input = cat.getOutputStream();
      input.write('x');
      input.flush();
      assertThat(cat.getInputStream().read()).isEqualTo('x');
      signal("INT", ply);
      String rest = output.lines().collect(Collectors.joining("\n"));
      assertThat(rest).containsPattern("write\\+\\d+").doesNotContain("error: ", "warning: ");
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
      cat.destroyForcibly();
    }
  }

  @Test
  void whatIsOfNoUseIsNotKept() {
    assertThat(
            Call.ply("--drop-privileges", NOBODY, "--keep-capabilities", "bpf", "BEGIN { }")
                .errors())
        .contains("not \"bpf\": nothing else is read with a capability once all is attached");
    assertThat(Call.ply("--keep-capabilities", "sys_ptrace", "BEGIN { }").errors())
        .contains("--keep-capabilities is for --drop-privileges USER");
    assertThat(
            Call.ply(
                    "--drop-privileges",
                    "no-one",
                    "--keep-capabilities",
                    "CAP_SYS_PTRACE",
                    "BEGIN { }")
                .errors())
        .contains("no user \"no-one\"");
  }

  /** As in the unit that the packages have: root with the few capabilities that a trace takes. */
  @Test
  void aBoundedRootIsEnough() throws Exception {
    int paranoid = Integer.parseInt(Files.readString(PARANOID).strip());
    assumeTrue(paranoid <= 2, "intervals take CAP_SYS_ADMIN: " + PARANOID + " is " + paranoid);
    String few = "+bpf,+perfmon,+dac_read_search,+syslog,+setuid,+setgid";
    Process ply =
        start(
            List.of("setpriv", "--bounding-set=-all," + few, "--inh-caps=-all"),
            "tracepoint:sched:sched_switch { @ = count(); } interval:100ms { exit(0); }");
    try {
      String output = new String(ply.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(output).contains("@: ").doesNotContain("error: ");
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  @Test
  void whatCannotBeDroppedIsSaid() {
    assertThat(Call.ply("--drop-privileges", "no-such-user", "BEGIN { }").errors())
        .contains("--drop-privileges: no user \"no-such-user\" other than root");
    assertThat(Call.ply("--drop-privileges", "root", "BEGIN { }").errors())
        .contains("no user \"root\" other than root");
    assertThat(Call.ply("--drop-privileges", NOBODY, "-c", "true", "BEGIN { }").errors())
        .contains("--drop-privileges and -c cannot be combined");
  }

  /** Another user has what it was started with. */
  @Test
  void onlyRootBecomesAnotherUser() throws Exception {
    Process ply =
        start(
            List.of(
                "setpriv",
                "--reuid=1000",
                "--regid=1000",
                "--clear-groups",
                "--inh-caps=-all,+bpf,+perfmon,+dac_read_search",
                "--ambient-caps=-all,+bpf,+perfmon,+dac_read_search"),
            "BEGIN { exit(0); }");
    try {
      String output = new String(ply.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(output).contains("--drop-privileges takes root");
      assertThat(ply.waitFor()).isEqualTo(1);
    } finally {
      ply.destroyForcibly();
    }
  }
}
