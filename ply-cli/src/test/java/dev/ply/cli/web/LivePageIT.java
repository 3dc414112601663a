package dev.ply.cli.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.CommandProcess;
import dev.ply.reader.Browser;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a trace on the running kernel, in a browser. */
@Tag("live")
@Tag("any-kernel")
class LivePageIT {
  private static final String BODY = "document.body.innerText";

  @TempDir Path directory;

  private static String address(BufferedReader lines) throws Exception {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("live page: ")) {
        return line.substring("live page: ".length());
      }
    }
    throw new AssertionError("no address");
  }

  @Test
  void aPageFollowsATraceToItsEnd() throws Exception {
    String script =
        "BEGIN { @named[str(\"<script>alert(1)</script>\")] = count(); }"
            + " interval:ms:200 { @beats = count(); printf(\"beat <b>%d</b>\\n\", 7); }"
            + " interval:ms:50 { @sizes = quantize(1000); @stacks[kstack] = count(); }"
            + " self:signal:SIGUSR1 { exit(3); }";
    Process ply = CommandProcess.start("-q", "--web", "0", script);
    try (BufferedReader lines = ply.inputReader(StandardCharsets.UTF_8);
        Browser browser = Browser.open(Files.createDirectory(directory.resolve("chrome")))) {
      browser.show(address(lines));
      browser.await(BODY + ".includes('beat <b>7</b>') && " + BODY + ".includes('@stacks')");
      assertThat(browser.text("document.getElementById('live').textContent")).isEqualTo("live");
      assertThat(browser.text(BODY)).contains("so far", "<script>alert(1)</script>");
      // It changes by itself.
      String events = "trace.events.length";
      String before = browser.text(events);
      browser.await(events + " > " + before);
      picture(browser, "running");
      new ProcessBuilder("kill", "-USR1", String.valueOf(ply.pid())).start().waitFor();
      browser.await("document.getElementById('live').textContent === 'the trace has ended'");
      browser.await(BODY + ".includes('the script called exit(3)')");
      picture(browser, "ended");
      browser.requireNothingReported();
      assertThat(ply.waitFor()).isEqualTo(3);
      assertThat(lines.lines()).anyMatch(line -> line.startsWith("@beats: "));
    } finally {
      ply.destroy();
    }
  }

  /** For eyes, if a directory is named. */
  private static void picture(Browser browser, String name) throws Exception {
    Optional<String> to = Optional.ofNullable(System.getProperty("page.pictures"));
    if (to.isPresent()) {
      Files.write(Path.of(to.get(), name + ".png"), browser.picture());
    }
  }

  @Test
  void anotherTraceHasAPageOfItsOwn() throws Exception {
    Process first = CommandProcess.start("-q", "--web", "0", "interval:s:1 { @a = count(); }");
    try (BufferedReader lines = first.inputReader(StandardCharsets.UTF_8)) {
      String address = address(lines);
      String port = address.replaceAll(".*:(\\d+)/.*", "$1");
      Process second = CommandProcess.start("-q", "--web", port, "interval:s:1 { @a = count(); }");
      List<String> said =
          second.inputReader(StandardCharsets.UTF_8).lines().collect(Collectors.toList());
      assertThat(said)
          .containsExactly(
              "error: --web: port "
                  + port
                  + " of 127.0.0.1 is in use; --web 0 takes any that is free");
      assertThat(second.waitFor()).isEqualTo(1);
    } finally {
      first.destroy();
      first.waitFor();
    }
  }
}
