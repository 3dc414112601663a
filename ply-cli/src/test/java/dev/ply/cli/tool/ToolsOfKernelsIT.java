package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Filter;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What each tool says about a kernel: that it has what the tool needs, or what is missing. There is
 * a list of the answers of all tools for each kernel that tests run on. {@code -Dharness.tools=N}
 * asks more of them than a few; those that were asked are in {@code tools-KERNEL.txt}.
 */
@Tag("live")
@Timeout(1200)
class ToolsOfKernelsIT {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/tool");
  private static final int FEW = 6;

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Test
  void kernelsHaveWhatTheListSays() throws IOException {
    String kernel = kernel();
    Path golden = golden().resolve(kernel + ".txt");
    List<String> all = Tools.ownNames().stream().filter(ToolsOfKernelsIT::isOfKernel).toList();
    List<String> names = new ArrayList<>(all);
    Collections.shuffle(names, new Random(Long.getLong("ply.seed", 1)));
    List<String> asked =
        names.stream().limit(Integer.getInteger("harness.tools", FEW)).sorted().toList();
    List<String> answers = asked.stream().map(ToolsOfKernelsIT::answer).toList();
    Files.write(
        Path.of(System.getProperty("ply.reports", "target"), "tools-" + kernel + ".txt"), answers);
    assumeTrue(Files.exists(golden), "there is no list for kernel " + kernel);
    List<String> known = Files.readAllLines(golden);
    assertThat(known.stream().map(line -> line.split(": ", 2)[0])).containsExactlyElementsOf(all);
    assertThat(answers)
        .containsExactlyElementsOf(
            known.stream().filter(line -> asked.contains(line.split(": ", 2)[0])).toList());
  }

  private static String kernel() throws IOException {
    String release = Files.readString(Path.of("/proc/sys/kernel/osrelease"));
    Matcher matcher = Pattern.compile("\\d+\\.\\d+").matcher(release);
    assertThat(matcher.find()).isTrue();
    boolean hasKprobes = Files.exists(Path.of("/sys/bus/event_source/devices/kprobe"));
    return matcher.group() + (hasKprobes ? "" : "-without-kprobes");
  }

  /** Where the source tree is, or its classes in a guest. */
  private static Path golden() {
    return Files.exists(GOLDEN) ? GOLDEN : Path.of("/ply/ply-cli/test-classes/golden/tool");
  }

  private static ToolHeader header(String name) {
    try {
      return new Tools(List.of()).find(name).orElseThrow().header();
    } catch (UsageException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  /** Others depend on the programs and libraries that there are. */
  private static boolean isOfKernel(String name) {
    return header(name).library().isEmpty() && !name.equals("sslsniff");
  }

  private static String answer(String name) {
    List<String> words = new ArrayList<>(List.of("tool", name, "--dry-run"));
    ToolHeader header = header(name);
    if (header.filters().equals(Set.of(Filter.PID))) {
      words.addAll(List.of("-p", String.valueOf(ProcessHandle.current().pid())));
    }
    header.operand().ifPresent(side -> words.add("c:malloc"));
    Call call = Call.ply(words.toArray(String[]::new));
    return name + ": " + (call.status() == 0 ? "ok" : call.errors().lines().findFirst().orElse(""));
  }
}
