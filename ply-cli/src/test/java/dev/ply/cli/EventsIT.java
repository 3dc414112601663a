package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events of user space beside the kernel's own: the same definitions, the same hits, the same
 * lines.
 */
@Tag("live")
@Timeout(300)
class EventsIT {
  /** The name of the traced program, a copy of dd. */
  private static final String PROGRAM = "plyev";

  private static final List<String> ARGUMENTS =
      List.of(
          "fd=%di low=%di:u8 wide=%di:x64 is=%di:s32 ip=%ip flags=%flags:x8",
          "%di %si %dx:u16 n=%dx:s64 top=%dx:x32",
          "s=+0(%si):string us=+0(%si):ustring uu=+u0(%si):string part=+1(%si):string",
          "c=+0(%si):char cs=+0(%si):char[3] x=+0(%si):x8[4] u=+1(%si):u8[2] b=-0(%si):s16[2]",
          "b=%dx:b2@1/32 m=+0(%si):b4@2/8 all=%dx:b64@0/64 bs=+0(%si):b4@4/8[3]",
          "sp=$stack ret=$stack0 next=$stack1:u64 deep=+8($stack):x32 at=+0(+0($stack)):x8[2]",
          "who=$comm \\5 m=\\-5 u=\\7:u8 x=\\0x1f:s16",
          "bad=+0(%dx):string alsobad=+u8(%dx):ustring",
          "first=@+1:char elf=@+1:char[3] magic=@+0:x32",
          "cast=%si:u32 less=%si:x16 ch=\\65:char");

  private static final Pattern EXAMPLE =
      Pattern.compile("```\\n\\$ ply-cli/bin/ply ((?:.*\\\\\\n)*.*)\\n((?s:.*?))```");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
    Live.assumeSharedLibraries();
    assumeTrue(KernelEvents.areOffered(), "the kernel has no uprobe_events");
  }

  @Test
  void linesAreThoseOfTheKernel() throws Exception {
    String group = "ply_lines_" + ProcessHandle.current().pid();
    String libc = libc();
    List<String> definitions = new ArrayList<>();
    for (int i = 0; i < ARGUMENTS.size(); i++) {
      definitions.add("p:" + group + "/w" + i + " " + libc + ":write " + ARGUMENTS.get(i));
    }
    definitions.add("r:" + group + "/wr " + libc + ":write $retval u=$retval:u8 s=$retval:s64");
    definitions.add("p:" + group + "/back " + libc + ":write%return at=+0($stack):x64 @+0:x32");
    List<String> arguments = new ArrayList<>(List.of("-q", "-c", command()));
    for (int i = 0; i < ARGUMENTS.size(); i++) {
      arguments.addAll(List.of("--filter", "w" + i + ":COMM == \"" + PROGRAM + "\""));
    }
    arguments.addAll(List.of("--filter", "wr:COMM ~ \"plye*\" && u < 100"));
    arguments.addAll(List.of("--filter", group + "/back:!(COMM != \"" + PROGRAM + "\")"));
    arguments.addAll(definitions);
    try (KernelEvents kernel = new KernelEvents(group)) {
      List<String> export = new ArrayList<>(List.of("--export"));
      export.addAll(definitions);
      Call exported = ply(export);
      assertThat(exported.status()).describedAs(exported.errors()).isZero();
      for (String line : exported.output().lines().toList()) {
        kernel.define(line);
      }
      kernel.enable(PROGRAM);
      Call ours = ply(arguments);
      assertThat(ours.errors()).isEmpty();
      assertThat(masked(ours.output().lines().toList()))
          .isEqualTo(masked(kernel.trace()))
          .hasSize(definitions.size());
    }
  }

  /** Definitions that the kernel takes are taken, others refused with its message and its caret. */
  @Test
  void verdictsAreThoseOfTheKernel() throws Exception {
    assumeTrue(
        System.getProperty("os.version").startsWith("6.18."),
        "the table has the messages of Linux 6.18");
    Path program = directory.resolve("program");
    Files.copy(Path.of("/bin/dd"), program);
    Map<String, String> kernel = new LinkedHashMap<>();
    Map<String, String> table = new LinkedHashMap<>();
    try (KernelEvents events = new KernelEvents("ply_verdicts_" + ProcessHandle.current().pid())) {
      for (EventVerdicts.Row row : EventVerdicts.of("user.txt")) {
        String verdict = events.verdict(row.definition().replace("FILE", program.toString()));
        int column = verdict.lastIndexOf('@') + 1;
        boolean isMoved = column > 0 && Integer.parseInt(verdict.substring(column)) > 8;
        if (isMoved && row.definition().contains("FILE:")) {
          int moved = Integer.parseInt(verdict.substring(column));
          int by = program.toString().length() - "FILE".length();
          verdict = verdict.substring(0, column) + (moved - by);
        }
        kernel.put(row.definition(), verdict);
        table.put(row.definition(), row.verdict());
        if (row.verdict().equals(EventVerdicts.BEYOND)) {
          assertThat(verdict).isNotEqualTo(EventVerdicts.OK);
          table.put(row.definition(), verdict);
        }
      }
    }
    assertThat(kernel).isEqualTo(table);
  }

  @Test
  void hitsAreCountedAtTheEnd() throws Exception {
    Call call =
        ply(
            List.of(
                "-c",
                command(),
                "--filter",
                "w:n == 6 && COMM == \"" + PROGRAM + "\"",
                "p:w " + libc() + ":write n=%dx"));
    assertThat(call.output())
        .matches(" +plyev-\\d+ +\\[\\d+] \\.{5} +\\d+\\.\\d{6}: w: \\(0x\\w+\\) n=0x6\n");
    assertThat(call.errors()).matches("(?s)note.* {2}w {43} +\\d+\n");
  }

  /** The examples of docs/EVENTS.md show what they do, apart from numbers. */
  @Test
  void examplesOfThePageRun() throws Exception {
    String page = Files.readString(Path.of("../docs/EVENTS.md"));
    List<String> shown = new ArrayList<>();
    List<String> run = new ArrayList<>();
    for (MatchResult block : EXAMPLE.matcher(page).results().toList()) {
      Call call = Call.ply(words(block.group(1)));
      shown.add(withoutNumbers(block.group(2)));
      run.add(withoutNumbers(call.output() + call.errors()));
    }
    assertThat(run).hasSize(3).isEqualTo(shown);
  }

  /** Columns are wider for larger numbers. */
  private static String withoutNumbers(String text) {
    return text.replaceAll("0x[0-9a-f]+", "0xN")
        .replaceAll("(?m)^ +dd-\\d+ +\\[\\d+] (\\S+) +[\\d.]+:", "dd $1:");
  }

  private static String[] words(String command) {
    return WORD.matcher(command.replace("\\\n", " "))
        .results()
        .map(word -> word.group(1) != null ? word.group(1) : word.group())
        .toArray(String[]::new);
  }

  private static Call ply(List<String> arguments) {
    List<String> all = new ArrayList<>(List.of(Events.UPROBE_EVENTS));
    all.addAll(arguments);
    return Call.ply(all.toArray(String[]::new));
  }

  /** Writes {@code hello} and a NUL, once. */
  private String command() throws IOException {
    Path program = directory.resolve(PROGRAM);
    if (!Files.exists(program)) {
      Files.copy(Path.of("/bin/dd"), program);
      Files.writeString(directory.resolve("text"), "hello\0");
    }
    return program + " if=" + directory.resolve("text") + " of=/dev/null bs=6 status=none";
  }

  private static String libc() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("/libc.so.6"))
        .map(line -> line.substring(line.indexOf('/')))
        .findFirst()
        .orElseThrow();
  }

  /** Without thread, CPU, flags and time, in any order. */
  private static List<String> masked(List<String> lines) {
    return lines.stream()
        .map(line -> line.replaceFirst("^ *\\S+-\\d+ +\\[\\d+] \\S+ +\\d+\\.\\d+: ", ""))
        .sorted()
        .toList();
  }
}
