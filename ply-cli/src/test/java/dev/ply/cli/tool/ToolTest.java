package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.analysis.rewrite.PossibleClauses;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.cli.Call;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.tool.ToolHeader.ToolOperand;
import dev.ply.cli.tool.ToolHeader.ToolOption;
import dev.ply.cli.tool.ToolHeader.ToolTable;
import dev.ply.ir.Script;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.machine.KernelVersion;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ToolTest {
  private static final Path SCRIPTS = Path.of("src/main/resources/dev/ply/cli/tool");
  private static final Pattern READ =
      Pattern.compile("getopt\\(\"([a-z-]+)\", (\"[^\"]*\"|[^)]+)\\)");

  @TempDir private Path directory;

  static List<String> names() {
    return Tools.ownNames();
  }

  @Test
  void theIndexListsAllScripts() throws IOException {
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      assertThat(names())
          .isSorted()
          .containsExactlyInAnyOrderElementsOf(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(file -> file.endsWith(".ply"))
                  .map(file -> file.substring(0, file.length() - 4))
                  .toList());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void scriptsHaveNoErrors(String name) throws UsageException {
    Tool tool = tool(name);
    ParseResult result =
        ScriptParser.parse(
            tool.source(), ToolScript.of(name, tool.source().text()).with(ScriptArguments.NONE));
    assertThat(result.diagnostics()).isEmpty();
  }

  /** What the header declares is what the script reads, with the same default. */
  @ParameterizedTest
  @MethodSource("names")
  void scriptsReadTheOptionsOfTheirHeaders(String name) throws UsageException {
    Tool tool = tool(name);
    List<String> read = new ArrayList<>();
    Matcher matcher = READ.matcher(tool.source().text());
    while (matcher.find()) {
      read.add(matcher.group(1) + " " + matcher.group(2).replace("\"", ""));
    }
    List<String> declared =
        tool.header().options().stream()
            .map(o -> o.name() + " " + (o.argument().isEmpty() ? "false" : o.usual()))
            .toList();
    assertThat(declared).containsAll(read);
    List<String> shownBy =
        tool.header().tables().stream()
            .flatMap(table -> table.columns().stream())
            .flatMap(column -> column.option().stream())
            .toList();
    assertThat(tool.header().options().stream().map(ToolOption::name))
        .allMatch(
            option ->
                shownBy.contains(option)
                    || read.stream().anyMatch(r -> r.startsWith(option + " ")));
  }

  /** Help, manual and completion are made of these. */
  @ParameterizedTest
  @MethodSource("names")
  void optionsHaveOneMeaning(String name) throws UsageException {
    List<String> spellings =
        tool(name).manual().allOptions().flatMap(option -> option.spellings().stream()).toList();
    assertThat(
            spellings.stream()
                .filter(one -> !one.equals("-d"))
                .collect(Collectors.groupingBy(one -> one, Collectors.counting()))
                .values())
        .containsOnly(1L);
    assertThat(Call.ply("tool", name, "--help").output()).contains("ply tool " + name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "# other: sum                     | line 1: a tool begins with a line \"# mine: SUMMARY\"",
        "BEGIN { }                        | line 1: a tool begins with a line \"# mine: SUMMARY\"",
        "# mine: s;# sections:            | line 2: unknown section \"sections\"",
        "# mine: s;# options:;#   -x      | line 3: an option is",
        "# mine: s;# columns:;#   PID:x:  | line 3: a column is",
        "# mine: s;# filters: pid cpu     | line 2: unknown filter cpu; known are pid, tid",
        "# mine: s;# scratch: start       | line 2: scratch takes maps, such as @start, not",
        "# mine: s;# needs: kprobe:f      | line 2: needs takes tracepoint:CATEGORY:EVENT,",
        "# mine: s;# interval: often      | line 2: interval takes a number of seconds, or 0",
        "# mine: s;# operand: middle      | line 2: operand takes entry or return, of a function",
        "# mine: s;# library: /lib/x.so   | line 2: library takes a file name without directories"
      })
  void wrongHeadersAreErrors(String header, String message) {
    assertThatThrownBy(() -> HeaderReader.read("mine", header.strip().replace(';', '\n')))
        .hasMessageStartingWith(message);
  }

  @Test
  void usersHaveToolsOfTheirOwn() throws Exception {
    write(
        "mine", "# mine: counts\n#\n# options:\n#   -x, --most N=3   at most\nBEGIN { exit(); }\n");
    Tools tools = new Tools(List.of(directory));
    assertThat(tools.names()).contains("mine", "opensnoop");
    assertThat(tools.find("mine").orElseThrow().header().summary()).isEqualTo("counts");
  }

  /** That is how {@code #!/usr/bin/env -S ply tool} runs a script. */
  @Test
  void scriptsAreToolsByTheirPath() throws Exception {
    Path file = write("mine", "#!/usr/bin/env -S ply tool\n# mine: counts\nBEGIN { exit(); }\n");
    assertThat(Call.ply("tool", file.toString(), "-h").output()).startsWith("usage: ply tool mine");
    assertThat(Call.ply("tool", directory + "/none.ply").errors())
        .isEqualTo("error: no such file: " + directory + "/none.ply\n");
  }

  @Test
  void toolsThatOthersCanWriteAreNotRun() throws Exception {
    Path file = write("mine", "# mine: counts\nBEGIN { exit(); }\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThatThrownBy(() -> new Tools(List.of(directory)).find("mine"))
        .hasMessageContaining("others can write it");
  }

  private Path write(String name, String script) throws IOException {
    Path file = Files.writeString(directory.resolve(name + ".ply"), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  @ParameterizedTest
  @CsvSource({
    "vfs_read, ENTRY, kprobe:vfs_read",
    "vfs_*, RETURN, kretprobe:vfs_*",
    "c:malloc, ENTRY, uprobe:c:malloc",
    "c:malloc, RETURN, uretprobe:c:malloc",
    "p::vfs_read, ENTRY, kprobe:vfs_read",
    "r:c:malloc, ENTRY, uretprobe:c:malloc",
    "t:sched:sched_switch, ENTRY, tracepoint:sched:sched_switch",
    "u:c:setjmp, ENTRY, usdt:c:*:setjmp",
    "usdt:/lib/x:a:b, ENTRY, usdt:/lib/x:a:b"
  })
  void functionsAreProbes(String operand, ToolOperand side, String definition)
      throws UsageException {
    assertThat(ProbeOperand.definition(operand, side)).isEqualTo(definition);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"a { } BEGIN", "a;b", "x}", "a\"b", "''"})
  void nothingElseIsAFunction(String operand) {
    assertThatThrownBy(() -> ProbeOperand.definition(operand, ToolOperand.ENTRY))
        .isInstanceOf(UsageException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nosuch                        | error: unknown tool \"nosuch\": ply tool lists them",
        "opensnop                      | error: unknown tool \"opensnop\": did you mean"
            + " \"opensnoop\"?",
        "opensnoop -p 1 -c true        | error: -p and -c both name the process: give one of them",
        "memleak                       | error: memleak traces one process: -p PID, or -c COMMAND",
        "funccount vfs read            | error: \"read\" is no interval: a number of seconds",
        "opensnoop --fialed            | error: unknown option --fialed: did you mean"
            + " \"--failed\"?",
        "opensnoop 5                   | error: unexpected operand \"5\"",
        "biolatency 0                  | error: \"0\" is no interval: a number of seconds",
        "biolatency 1 2 3              | error: unexpected operand \"3\"",
        "syscount -T many              | error: --top takes a number, not \"many\"",
        "opensnoop -u nobodyhasit      | error: --uid: no user \"nobodyhasit\" in /etc/passwd",
        "opensnoop --cgroup no/such    | error: --cgroup: no cgroup no/such below",
        "opensnoop --container ab      | error: --container: no cgroup below",
        "opensnoop --pidns mnt:[1]     | error: --pidns takes a PID, self, or the inode",
        "funccount                     | error: which function?",
        "javagc                        | error: -p PID is needed: the process whose libjvm.so"
      })
  void wrongCallsAreErrors(String words, String message) {
    Call call =
        Call.ply(
            Stream.concat(Stream.of("tool"), Stream.of(words.strip().split(" ", -1)))
                .toArray(String[]::new));
    assertThat(call.errors()).startsWith(message);
    assertThat(call.output()).isEmpty();
    assertThat(call.status()).isEqualTo(1);
  }

  @Test
  void commandsAreInstalled() throws IOException {
    Files.writeString(directory.resolve("profile"), "another");
    Call call = Call.ply("tool", "--install", directory.toString());
    assertThat(call.status()).isZero();
    assertThat(call.errors()).contains("profile is another program, and stays as it is");
    assertThat(directory.resolve("opensnoop"))
        .isExecutable()
        .content()
        .contains("ply tool opensnoop");
    assertThat(directory.resolve("profile")).hasContent("another");
  }

  /** The page says how columns differ from BCC's, and why. */
  @Test
  void columnsAreThoseOfThePage() throws Exception {
    Map<String, String> columns = new TreeMap<>();
    for (String name : names()) {
      List<ToolTable> tables = tool(name).header().tables();
      if (!tables.isEmpty()) {
        columns.put(
            name,
            tables.get(0).columns().stream()
                .filter(column -> column.option().isEmpty())
                .map(column -> column.column().heading())
                .collect(Collectors.joining(" ")));
      }
    }
    Map<String, String> shown = new TreeMap<>();
    Matcher row =
        Pattern.compile("(?m)^\\| `([a-z]+)` \\| (.*) \\| (.+) \\| (.*) \\|$")
            .matcher(Files.readString(Path.of("..", "docs", "TOOLS.md")));
    while (row.find()) {
      boolean isSame = row.group(3).equals("the same");
      shown.put(row.group(1), isSame ? row.group(2) : row.group(3));
      assertThat(row.group(4).isEmpty()).as(row.group()).isEqualTo(isSame);
    }
    assertThat(shown).isEqualTo(columns);
  }

  static List<String> needs() {
    return List.of(
        "tracepoint:no:such | this kernel has no tracepoint no:such",
        "tracepoint:raw_syscalls:sys_exit.nosuch | the tracepoint raw_syscalls:sys_exit has no"
            + " field nosuch here",
        "struct:nosuch | this kernel does not tell what struct nosuch is",
        "kernel:99.1 | this is Linux 6.1.0");
  }

  @ParameterizedTest
  @MethodSource("needs")
  void whatAKernelLacksIsSaid(String line) {
    String[] parts = line.split(" [|] ", -1);
    SimulatedTarget kernel =
        SimulatedTarget.create()
            .withTracepoint(
                "raw_syscalls",
                "name: sys_exit\nID: 1\nformat:\n\tfield:long ret;\toffset:8;\tsize:8;"
                    + "\tsigned:1;\n");
    KernelVersion version = new KernelVersion(6, 1, 0);
    assertThat(Need.of(parts[0]).orElseThrow().missing(kernel, version).orElseThrow().what())
        .isEqualTo(parts[1]);
    for (String there :
        List.of("tracepoint:raw_syscalls:sys_exit.ret", "kernel:6.1", "kernel:5.10")) {
      assertThat(Need.of(there).orElseThrow().missing(kernel, version)).isEmpty();
    }
  }

  /** Nothing is attached for an option that is not given. */
  @ParameterizedTest
  @CsvSource({
    "biolatency, '', 2",
    "biolatency, --queued, 3",
    "javaalloc, '', 2",
    "javaalloc, --exact, 1",
    "execsnoop, '', 1",
    "execsnoop, --fails, 5"
  })
  void whatAnOptionExcludesIsLeftOut(String name, String option, int clauses)
      throws UsageException {
    Tool tool = tool(name);
    ScriptArguments plain = ToolScript.of(name, tool.source().text()).with(ScriptArguments.NONE);
    ScriptArguments arguments = option.isEmpty() ? plain : plain.withWords(List.of(option));
    Script script = ScriptParser.parse(tool.source(), arguments).orThrow();
    assertThat(PossibleClauses.of(script).clauses())
        .filteredOn(
            clause ->
                !(clause.point() instanceof TracerProbe || clause.point() instanceof TimerProbe))
        .hasSize(clauses);
  }

  private static Tool tool(String name) throws UsageException {
    return new Tools(List.of()).find(name).orElseThrow();
  }
}
