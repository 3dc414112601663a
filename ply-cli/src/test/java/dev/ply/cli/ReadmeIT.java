package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Each command of the README does what is shown below it. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ReadmeIT {
  private static final Path README = Path.of("..", "README.md");

  /** A command, over several lines within quotes or after backslashes, and what follows it. */
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "^\\$ ply-cli/bin/ply ((?:'[^']*'|\\\\\n|[^'\n])*)\n(.*?)^(?=\\$ |```)",
          Pattern.MULTILINE | Pattern.DOTALL);

  /** The process of which the README asks what it waits for: here, that of the test. */
  private static final String JVM = "\"$(pgrep -n java)\"";

  private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s'\\\\]+)");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @TestFactory
  Stream<DynamicTest> commandsRun() throws IOException {
    assumeTrue(Files.exists(README), "the README is not on this machine");
    List<DynamicTest> tests = new ArrayList<>();
    Matcher example = EXAMPLE.matcher(Files.readString(README));
    while (example.find()) {
      List<String> arguments = words(example.group(1));
      String shown = example.group(2);
      tests.add(DynamicTest.dynamicTest(String.join(" ", arguments), () -> run(arguments, shown)));
    }
    assertThat(tests).hasSizeGreaterThan(5);
    return tests.stream();
  }

  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word =
        WORD.matcher(command.replace(JVM, String.valueOf(ProcessHandle.current().pid())));
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words;
  }

  private static void run(List<String> arguments, String shown) {
    boolean isChecked = arguments.contains("-e") && !arguments.contains("bt");
    assumeFalse(
        !isChecked
            && arguments.stream().anyMatch(word -> word.contains("kretprobe:"))
            && !hasKprobes(),
        "this kernel has no kprobes");
    Call call = Call.ply(arguments.toArray(String[]::new));
    if (shown.contains("error[")) {
      assertThat(call.errors()).contains(shown.lines().findFirst().orElseThrow());
      return;
    }
    assertThat(call.errors()).doesNotContain("error");
    assertThat(call.status()).isZero();
    String first = shown.lines().filter(line -> line.startsWith("@")).findFirst().orElseThrow();
    assertThat(call.output()).contains(first);
  }

  private static boolean hasKprobes() {
    return Files.exists(Path.of("/sys/kernel/tracing/kprobe_events"));
  }
}
