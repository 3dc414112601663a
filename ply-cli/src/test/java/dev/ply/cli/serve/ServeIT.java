package dev.ply.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.CommandProcess;
import dev.ply.kernel.Live;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
import org.junit.jupiter.api.io.TempDir;

/** The service itself: its scripts, its pages, its signals. */
@Tag("live")
@Tag("any-kernel")
// Reading the log cannot be interrupted.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServeIT {
  private static final int CALLS = 20_000;
  private static final String PROBE =
      "tracepoint:syscalls:sys_enter_mkdir* / pid == %d / "
          .formatted(ProcessHandle.current().pid());

  @TempDir Path directory;
  private final List<Process> started = new ArrayList<>();

  /** A service, and the lines of its log. */
  private record Running(Process process, BufferedReader log) {
    String await(String start) throws IOException {
      List<String> before = new ArrayList<>();
      for (String line = log.readLine(); line != null; line = log.readLine()) {
        if (line.startsWith(start)) {
          return line.substring(start.length());
        }
        before.add(line);
      }
      throw new IOException("ended: " + before);
    }

    void signal(String name) throws Exception {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    }
  }

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @AfterEach
  void stop() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private Running serve(String scripts) throws Exception {
    configure(scripts);
    Process process = CommandProcess.start("serve", directory.resolve("ply.yaml").toString());
    started.add(process);
    return new Running(
        process,
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
  }

  private void configure(String scripts) throws IOException {
    Files.writeString(
        directory.resolve("ply.yaml"),
        "prometheus: 127.0.0.1:0\nreload_by_http: true\nscripts:\n" + scripts);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private static String read(String url) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(url))).body();
  }

  private static long value(String metrics, String series) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(-1);
  }

  /** Makes calls that only this process is counted for. */
  private void call(int times) {
    File existing = directory.toFile();
    for (int i = 0; i < times; i++) {
      assertThat(existing.mkdir()).isFalse();
    }
  }

  @Test
  void reloadsUnderLoadLoseNoCount() throws Exception {
    Files.writeString(directory.resolve("calls.ply"), PROBE + "{ @n = count(); }");
    Files.writeString(directory.resolve("changing.ply"), PROBE + "{ @n = count(); }");
    String usual =
        """
          calls: {file: calls.ply}
          changing: {file: changing.ply}
          broken: {text: "kprobe:f / comm == 1 / { @ = count(); }"}
        """;
    Running service = serve(usual);
    String url = service.await("metrics: ");
    assertThat(service.await("error: script broken does not run (compile): ")).contains("1:12: ");
    service.await("ready: 2 of 3 scripts run");
    assertThat(read(url.replace("/metrics", "/-/ready"))).contains("ready");
    Thread load = new Thread(() -> call(CALLS));
    load.start();
    long before = 0;
    for (int i = 0; i < 3; i++) {
      Files.writeString(
          directory.resolve("changing.ply"),
          PROBE + "{ @n = count(); @m = count(); }" + " ".repeat(i));
      service.signal("HUP");
      service.await("script changing replaced, ");
      String metrics = read(url);
      long now = value(metrics, "ply_changing_n_total");
      assertThat(now).isGreaterThanOrEqualTo(before);
      before = now;
    }
    load.join();
    String metrics = read(url);
    assertThat(value(metrics, "ply_calls_n_total")).isEqualTo(CALLS);
    assertThat(value(metrics, "ply_changing_n_total")).isBetween(before, (long) CALLS);
    assertThat(value(metrics, "ply_script_restarts_total{script=\"calls\"}")).isZero();
    assertThat(value(metrics, "ply_script_restarts_total{script=\"changing\"}")).isEqualTo(3);
    assertThat(value(metrics, "ply_script_up{script=\"broken\"}")).isZero();
    assertThat(value(metrics, "ply_map_memory_bytes")).isPositive();
    assertThat(metrics).contains("ply_build_info{java=\"");

    configure(usual + "  calls: {}\n");
    service.signal("HUP");
    assertThat(service.await("error: " + directory.resolve("ply.yaml")))
        .isEqualTo(":7:3: \"calls\" is given twice (first in line 4)");
    service.await("ready: 2 of 3 scripts run");
    HttpResponse<String> refused =
        send(
            HttpRequest.newBuilder(URI.create(url.replace("/metrics", "/-/reload")))
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(refused.statusCode()).isEqualTo(500);
    assertThat(refused.body()).contains("is given twice");
    call(7);
    metrics = read(url);
    assertThat(value(metrics, "ply_calls_n_total")).isEqualTo(CALLS + 7);
    assertThat(value(metrics, "ply_config_last_reload_successful")).isZero();
    service.signal("TERM");
    service.await("stopping");
    assertThat(service.process().waitFor()).isZero();
  }

  private String check(String configuration) throws Exception {
    Path file = Files.writeString(directory.resolve("ply.yaml"), configuration);
    Process process = CommandProcess.start("serve", "--check", file.toString());
    started.add(process);
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void metricsOfTwoScriptsAndUnknownHostsAreFoundByTheCheck() throws Exception {
    assertThat(
            check(
                """
                prometheus: nowhere.invalid:9435
                scripts:
                  disk_a: {text: "BEGIN { @b = count(); }"}
                  disk: {text: "BEGIN { @a_b = count(); @c = count(); }"}
                """))
        .contains("error: prometheus: no host \"nowhere.invalid\" is known")
        .contains(
            "warning: scripts disk_a and disk both have a metric ply_disk_a_b: that of disk is left"
                + " out; another name of the script makes another metric")
        .doesNotContain("is correct");
  }

  @Test
  void aConfigurationIsCheckedWithItsScripts() throws Exception {
    configure(
        "  a: {text: \"BEGIN { @ = cmm; }\"}\n  b: {tool: opensnop}\n  c: {text: \"BEGIN { }\", options: [-d, 5]}\n");
    Process process =
        CommandProcess.start("serve", "--check", directory.resolve("ply.yaml").toString());
    started.add(process);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isOne();
    assertThat(output)
        .contains("BEGIN { @ = cmm; }", "did you mean \"comm\"?")
        .contains("error: script a cannot run here")
        .contains("error: script b: unknown tool \"opensnop\": did you mean \"opensnoop\"?")
        .contains(
            "error: script c: --duration is no option of a script that runs always: the service"
                + " runs always");
  }
}
