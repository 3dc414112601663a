package dev.ply.cli.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import dev.ply.lang.events.EventSpace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

  /** Patterns for {@code hello}. */
  private static final List<String> PATTERNS =
      List.of(
          "hello",
          "hel*",
          "*llo",
          "*ell*",
          "h*o",
          "*l*l*o",
          "*l*l*l*",
          "h?llo",
          "?????",
          "??????",
          "[a-h]ello",
          "[!a-g]*o",
          "h[ae]llo",
          "h[!ae]llo",
          "h[!a-d]llo",
          "[^h]ello",
          "[h",
          "h[a-",
          "[]h]ello",
          "[!]x]ello",
          "h\\\\ello",
          "\\\\h*",
          "*",
          "?*",
          "!hello",
          "!h*",
          "!x?*",
          "5*",
          "he??o*",
          "h*[l-o]",
          "h**o",
          "");

  private static final Pattern EXAMPLE =
      Pattern.compile("```\\n\\$ ply-cli/bin/ply ((?:.*\\\\\\n)*.*)\\n((?s:.*?))```");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
    Live.assumeSharedLibraries();
    assumeTrue(KernelEvents.areOffered(EventSpace.USER), "the kernel has no uprobe_events");
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
    try (KernelEvents kernel = new KernelEvents(EventSpace.USER, group)) {
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

  @Test
  void patternsOfFiltersMatchAsTheKernels() throws Exception {
    String group = "ply_patterns_" + ProcessHandle.current().pid();
    List<String> definitions = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of("-q", "-c", command()));
    try (KernelEvents kernel = new KernelEvents(EventSpace.USER, group)) {
      for (int i = 0; i < PATTERNS.size(); i++) {
        String definition = "p:" + group + "/w" + i + " " + libc() + ":write s=+0(%si):string";
        definitions.add(definition);
        String filter = "COMM ~ \"pl[x-z]e?\" && s ~ \"" + PATTERNS.get(i) + "\"";
        kernel.define(ply(List.of("--export", definition)).output().trim());
        kernel.enableFiltered("w" + i, filter);
        arguments.addAll(List.of("--filter", "w" + i + ":" + filter));
      }
      arguments.addAll(definitions);
      Call ours = ply(arguments);
      assertThat(ours.errors()).isEmpty();
      assertThat(masked(ours.output().lines().toList()))
          .isEqualTo(masked(kernel.trace()))
          .hasSizeGreaterThan(10);
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
    try (KernelEvents events =
        new KernelEvents(EventSpace.USER, "ply_verdicts_" + ProcessHandle.current().pid())) {
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
    assertThat(call.errors()).matches("(?s)note.* {2}w {43} +\\d+ +0\n");
  }

  /** A word of a waiting program is its reference counter. */
  @Test
  void referenceCounterIsRaisedWhileTracing() throws Exception {
    Path program = directory.resolve(PROGRAM);
    Files.copy(Path.of("/bin/cat"), program);
    Process waiting = new ProcessBuilder(program.toString()).start();
    try (OutputStream input = waiting.getOutputStream()) {
      input.write('x');
      input.flush();
      // It has been loaded when it answers.
      assertThat(waiting.getInputStream().read()).isEqualTo('x');
      List<Mapping> mappings = Mapping.of(waiting.pid(), program);
      Mapping data =
          mappings.stream().filter(one -> one.access().startsWith("rw")).findFirst().orElseThrow();
      long entry = mappings.get(0).start() + entry(program);
      Mapping code = mappings.stream().filter(one -> one.has(entry)).findFirst().orElseThrow();
      long offset = code.offset() + entry - code.start();
      long word = zero(waiting.pid(), data);
      Path seen = directory.resolve("seen");
      String copy =
          "dd status=none bs=1 count=2 skip=%d if=/proc/%d/mem of=%s"
              .formatted(data.start() + word, waiting.pid(), seen);
      Call call =
          ply(
              List.of(
                  "-q",
                  "-c",
                  copy,
                  "p:w %s:0x%x(0x%x)".formatted(program, offset, data.offset() + word)));
      assertThat(call.errors()).isEmpty();
      assertThat(Files.readAllBytes(seen)).containsExactly(1, 0);
      assertThat(zero(waiting.pid(), data)).isEqualTo(word);
    } finally {
      waiting.destroy();
    }
  }

  /** Returns the offset of the first word of two bytes that is 0; no other can be a counter. */
  private static long zero(long process, Mapping data) throws IOException {
    try (RandomAccessFile memory = new RandomAccessFile("/proc/" + process + "/mem", "r")) {
      for (long word = 0; ; word += Short.BYTES) {
        memory.seek(data.start() + word);
        if (memory.readShort() == 0) {
          return word;
        }
      }
    }
  }

  /** Returns the entry point in the header of an ELF file. */
  private static long entry(Path program) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(program)).order(ByteOrder.nativeOrder()).getLong(24);
  }

  /** A mapping of a file, as in /proc/PID/maps. */
  private record Mapping(long start, long end, String access, long offset) {
    private static final Pattern LINE =
        Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (\\S+) ([0-9a-f]+) .*");

    static List<Mapping> of(long process, Path file) throws IOException {
      return Files.readAllLines(Path.of("/proc/" + process + "/maps")).stream()
          .filter(line -> line.endsWith(file.toString()))
          .flatMap(line -> LINE.matcher(line).results())
          .map(
              line ->
                  new Mapping(
                      Long.parseLong(line.group(1), 16),
                      Long.parseLong(line.group(2), 16),
                      line.group(3),
                      Long.parseLong(line.group(4), 16)))
          .toList();
    }

    boolean has(long address) {
      return start <= address && address < end;
    }
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
    List<String> all = new ArrayList<>(List.of(Events.OF_PROGRAMS.name()));
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

  /** Four bytes after its start, nothing tells whether the stripped program has an instruction. */
  @Test
  void aProbeWhereNoSymbolIsTakesUnsafe() throws Exception {
    Path shell = Path.of("/bin/sh");
    ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(shell)).order(ByteOrder.LITTLE_ENDIAN);
    String definition = "p " + shell + ":0x" + Long.toHexString(header.getLong(24) + 4);
    Call safe = Call.ply("uprobe-events", "-e", definition);
    assumeTrue(safe.status() != 0, "the shell is not stripped");
    assertThat(safe.errors()).contains("a breakpoint inside one would crash", "--unsafe allows it");
    Call unsafe = Call.ply("uprobe-events", "--unsafe", "-e", definition);
    assertThat(unsafe.errors()).isEmpty();
    assertThat(unsafe.status()).isZero();
  }
}
