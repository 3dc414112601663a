package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of docs/PRIVILEGES.md, each cell run: a user that is not root, with the capabilities of
 * the column, runs the script of the row. {@code -Dgolden.update=true} writes what this kernel
 * does.
 */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class PrivilegesIT {
  private static final Path PAGE = Path.of("../docs/PRIVILEGES.md");
  private static final String HEADER = "| probe or built-in | script |";
  private static final String NOBODY = "65534";

  /** The settings that the table was measured with. */
  private static final List<String> SETTINGS =
      List.of("perf_event_paranoid 2", "kptr_restrict 0", "unprivileged_bpf_disabled 2");

  /** The class path where another user can read it. */
  @TempDir static Path shared = Path.of("");

  @BeforeAll
  static void prepare() throws IOException {
    Live.assumeTracing();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv here");
    for (String setting : SETTINGS) {
      String[] words = setting.split(" ", 2);
      Path file = Path.of("/proc/sys/kernel", words[0]);
      assumeTrue(
          Files.readString(file).strip().equals(words[1]),
          () -> file + " is another than in the table");
    }
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    int number = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path from = Path.of(entry);
      // Maven's class path has an empty entry, which is the directory at hand.
      if (entry.isEmpty()) {
        continue;
      }
      if (Files.isDirectory(from)) {
        copyTree(from, shared.resolve("classes" + number++));
      } else if (Files.exists(from)) {
        Files.copy(from, shared.resolve(number++ + "-" + from.getFileName()));
      }
    }
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(
            file,
            to.resolve(from.relativize(file).toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static String classPath() throws IOException {
    try (Stream<Path> entries = Files.list(shared)) {
      return entries.sorted().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  /**
   * Returns what becomes of each script, run with these capabilities, as in {@code +bpf,+syslog}.
   */
  private static List<String> run(String capabilities, List<String> scripts)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                "--inh-caps=-all," + capabilities,
                "--ambient-caps=-all," + capabilities,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1"));
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", classPath(), ConfinedScripts.class.getName()));
    command.addAll(scripts);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).describedAs(output).isZero();
      return output.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> cells(String row) {
    return Stream.of(row.substring(1).split("\\|")).map(String::strip).toList();
  }

  /** The script of a row, for this machine. */
  private static String script(List<String> cells) {
    return cells
        .get(1)
        .replace("`", "")
        .replace("PID", Long.toString(ProcessHandle.current().pid()))
        .replace("JAVA", System.getProperty("java.home"));
  }

  @Test
  void eachCellIsWhatThisKernelDoes() throws Exception {
    List<String> page = Files.readAllLines(PAGE);
    List<String> table =
        page.stream()
            .dropWhile(line -> !line.startsWith(HEADER))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    List<String> sets = cells(table.get(0)).subList(2, cells(table.get(0)).size());
    List<List<String>> rows = table.stream().skip(2).map(PrivilegesIT::cells).toList();
    List<String> scripts = rows.stream().map(PrivilegesIT::script).toList();
    List<List<String>> columns = new ArrayList<>();
    for (String set : sets) {
      List<String> outcomes = run("+" + set.replace(" ", ",+"), scripts);
      assertThat(outcomes).describedAs(set).hasSameSizeAs(scripts);
      columns.add(outcomes);
    }
    List<String> measured = new ArrayList<>(table.subList(0, 2));
    for (int i = 0; i < rows.size(); i++) {
      int row = i;
      measured.add(
          Stream.concat(
                  rows.get(i).subList(0, 2).stream(),
                  columns.stream().map(outcomes -> outcomes.get(row)))
              .collect(Collectors.joining(" | ", "| ", " |")));
    }
    if (Boolean.getBoolean("golden.update")) {
      int begin = page.indexOf(table.get(0));
      List<String> updated = new ArrayList<>(page.subList(0, begin));
      updated.addAll(measured);
      updated.addAll(page.subList(begin + table.size(), page.size()));
      Files.write(PAGE, updated);
    }
    assertThat(measured).isEqualTo(table);
  }
}
