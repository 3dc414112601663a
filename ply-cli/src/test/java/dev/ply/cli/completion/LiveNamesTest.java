package dev.ply.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.RunningKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveNamesTest {
  @TempDir Path directory = Path.of("");

  private List<String> continuing(String text) {
    return new LiveNames(new RunningKernel(), List.of(directory)).continuing(text);
  }

  @Test
  void namesOfTheLanguageContinueTheScript() {
    assertThat(continuing("BEGIN { @ = quan")).containsExactly("BEGIN { @ = quantize");
    assertThat(continuing("kprobe:f { @[a")).contains("kprobe:f { @[args", "kprobe:f { @[arg0");
    assertThat(continuing("kpr")).containsExactly("kprobe:");
    assertThat(continuing("BEGIN { } EN")).containsExactly("BEGIN { } END");
    assertThat(continuing("BEGIN {\n qua")).isEmpty();
  }

  @Test
  void filesAreThoseThatCanBeWritten() throws IOException {
    for (String name :
        List.of("prog", "pro$(touch x)", "pro b", "pro\nx", "pro\u001b[2J", "pro\"q", "pro+x")) {
      Files.createFile(directory.resolve(name));
    }
    Files.createDirectory(directory.resolve("prodir"));
    String start = "uprobe:" + directory + "/pr";
    assertThat(continuing(start)).containsExactly(start + "o+x:", start + "odir/", start + "og:");
    String quoted = "uprobe:\"" + directory + "/pr";
    assertThat(continuing(quoted))
        .containsExactly(
            quoted + "o b\":",
            quoted + "o$(touch x)\":",
            quoted + "o+x\":",
            quoted + "odir/",
            quoted + "og\":");
    assertThat(continuing("u:pro")).containsExactly("u:pro+x:", "u:prodir:", "u:prog:");
  }

  @Test
  void whatIsNoFileIsNotOpened() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThat(continuing("usdt:" + pipe + ":")).isEmpty();
    assertThat(continuing("uprobe:" + pipe + "/")).isEmpty();
    assertThat(continuing("uprobe:" + directory + ":")).isEmpty();
  }

  @Test
  void ofManyNamesTheBeginningsAreShownAndNoneIsLeftOut() {
    Stream<String> names =
        IntStream.range(0, 1000).mapToObj(i -> "a:" + (i % 3 == 0 ? "x_" : "y_") + i);
    assertThat(LiveNames.grouped("a:", names)).containsExactly("a:x_", "a:y_");
    assertThat(LiveNames.grouped("a", Stream.of("a:1", "b", "a:1"))).containsExactly("a:1");
    Stream<String> alike = IntStream.range(0, 400).mapToObj(i -> "n" + i);
    assertThat(LiveNames.grouped("", alike)).hasSize(400);
  }
}
