package dev.ply.kernel.dwarf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.elf.DebugFile;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.kernel.elf.TestElf;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.target.SourceLine;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-java")
class LineTableTest {
  private static final long CODE = TestElf.CODE_ADDRESS;

  /** Lines are counted: add is at 1, main at 6. */
  private static final String PROGRAM =
      """
      int add(int a, int b) {
        int sum = a + b;
        return sum;
      }

      int main(int count, char **arguments) {
        return add(count, 7);
      }
      """;

  private final ReadBudget budget = ReadBudget.of(Duration.ofMinutes(1), 256 << 20);

  @TempDir Path directory;

  private Optional<SourceLine> line(LineTable table, long address) throws IOException {
    try (var looking = budget.allowance(false)) {
      return table.at(address, looking);
    }
  }

  private LineTable written(LineBytes lines, String... strings) throws IOException {
    TestElf elf = new TestElf(ByteOrder.LITTLE_ENDIAN);
    elf.section(".debug_line", 1, 0, lines.toBytes());
    for (int i = 0; i < strings.length; i += 2) {
      elf.section(strings[i], 1, 0, strings[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    try (ElfFile file = ElfFile.open(elf.write(directory.resolve("a")), budget)) {
      return LineTable.read(file, file).orElseThrow();
    }
  }

  private List<String> lines(LineTable table, long... offsets) throws IOException {
    List<String> lines = new ArrayList<>();
    for (long offset : offsets) {
      lines.add(line(table, CODE + offset).map(SourceLine::toString).orElse("none"));
    }
    return lines;
  }

  @Test
  void rowsHoldUpToTheNext() throws IOException {
    LineTable table = written(LineBytes.unit4(LineBytes.files4(), LineBytes.program()));
    assertThat(lines(table, -1, 0, 3, 4, 5, 6, 15, 16))
        .containsExactly(
            "none", "a.c:7", "a.c:7", "a.c:9", "a.c:9", "/inc/b.h:3", "/inc/b.h:3", "none");
  }

  @Test
  void filesOfDwarf5AreInOtherSections() throws IOException {
    // Directories: path in .debug_line_str. Files: path in .debug_str, a directory, an MD5.
    LineBytes tables =
        new LineBytes()
            .add(1, 1, 0x1f, 2)
            .number(4, 0)
            .number(4, 7)
            .add(3, 1, 0x0e, 2, 0x0b, 5, 0x1e, 3)
            .number(4, 0)
            .add(0)
            .add(new byte[16])
            .number(4, 4)
            .add(0)
            .add(new byte[16])
            .number(4, 8)
            .add(1)
            .add(new byte[16]);
    LineTable table =
        written(
            LineBytes.unit5(tables, LineBytes.program()),
            ".debug_line_str",
            "/build\0inc\0",
            ".debug_str",
            "z.c\0a.c\0b.h\0");
    assertThat(lines(table, 0, 4, 6))
        .containsExactly("/build/a.c:7", "/build/a.c:9", "/build/inc/b.h:3");
  }

  @Test
  void unitsAreIndependent() throws IOException {
    LineBytes unknown = LineBytes.unit4(LineBytes.files4(), LineBytes.program());
    byte[] version9 = unknown.toBytes();
    version9[4] = 9;
    LineTable table =
        written(
            new LineBytes()
                .add(LineBytes.unit4(LineBytes.files4(), LineBytes.program(CODE + 0x100)))
                .add(version9)
                .add(LineBytes.unit4(LineBytes.files4(), LineBytes.program(0)))
                .add(LineBytes.unit4(LineBytes.files4(), LineBytes.program(CODE + 0x10))));
    assertThat(lines(table, 0, 0x10, 0x1f, 0x20, 0x106))
        .containsExactly("none", "a.c:7", "/inc/b.h:3", "none", "/inc/b.h:3");
  }

  @Test
  void namesAreEscapedAndNumbersKept() throws IOException {
    LineBytes names = new LineBytes().add(0).string("a\u001b\u202e.c").add(0, 0, 0).add(0);
    LineTable table = written(LineBytes.unit4(names, LineBytes.program()));
    assertThat(line(table, CODE).orElseThrow()).isEqualTo(new SourceLine("a\u001b\u202e.c", 7));
    assertThat(lines(table, 0).get(0)).matches("[ -~]+").endsWith(".c:7");
    // There is no file 2.
    assertThat(lines(table, 6)).containsExactly("none");
  }

  @Test
  void anyBytesAreReadToTheirEnd() throws IOException {
    LineBytes tables = new LineBytes().add(1, 1, 8, 1).string("/b").add(2, 1, 8, 2, 0x0b, 1);
    tables.string("a.c").add(0);
    for (LineBytes unit :
        List.of(
            LineBytes.unit4(LineBytes.files4(), LineBytes.program()),
            LineBytes.unit5(tables, LineBytes.program()))) {
      byte[] right = unit.toBytes();
      for (int at = 0; at < right.length; at++) {
        assertEnds(Arrays.copyOf(right, at + 1));
        for (int other : new int[] {0, 1, 0x7f, 0x80, 0xff, right[at] + 1}) {
          byte[] wrong = right.clone();
          wrong[at] = (byte) other;
          assertEnds(wrong);
        }
      }
    }
  }

  private void assertEnds(byte[] lines) throws IOException {
    LineTable table = written(new LineBytes().add(lines));
    for (long offset = 0; offset < 20; offset += 3) {
      try {
        assertThat(line(table, CODE + offset)).isNotNull();
      } catch (BadDwarfException e) {
        assertThat(e).hasMessageMatching(".+");
      }
    }
  }

  private void run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    int status = process.waitFor();
    assumeTrue(status == 0, () -> String.join(" ", command) + " does not work: status " + status);
  }

  private Path compiled(String... options) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Files.writeString(directory.resolve("sum.c"), PROGRAM);
    List<String> command = new ArrayList<>(List.of("gcc", "-O0", "-o", "sum"));
    command.addAll(List.of(options));
    command.add(directory.resolve("sum.c").toString());
    run(command.toArray(String[]::new));
    return directory.resolve("sum");
  }

  /** Returns the line of the first instruction of each line that the functions have. */
  private void expectLines(LineTable table, ElfSymbols symbols, String file) throws IOException {
    for (var start : List.of(symbols.named("add").get(0), symbols.named("main").get(0))) {
      List<Integer> seen = new ArrayList<>();
      for (long at = start.address(); at < start.address() + start.size(); at++) {
        SourceLine line = line(table, at).orElseThrow();
        assertThat(line.file()).isEqualTo(file);
        seen.add(line.line());
      }
      assertThat(seen).isSorted();
      assertThat(seen.stream().distinct())
          .isEqualTo(start.name().equals("add") ? List.of(1, 2, 3, 4) : List.of(6, 7, 8));
      assertThat(line(table, start.address() + start.size()).map(SourceLine::line))
          .isNotEqualTo(Optional.of(9));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-gdwarf-5", "-gdwarf-4", "-gdwarf-3", "-gdwarf-2"})
  void compilersWriteAllVersions(String version) throws Exception {
    try (ElfFile file = ElfFile.open(compiled(version), budget)) {
      expectLines(
          LineTable.read(file, file).orElseThrow(),
          ElfSymbols.ofTable(file).orElseThrow(),
          directory.resolve("sum.c").toString());
    }
  }

  @Test
  void sectionsCanBeCompressed() throws Exception {
    Path path = compiled("-g", "-gz=zlib");
    try (ElfFile file = ElfFile.open(path, budget)) {
      expectLines(
          LineTable.read(file, file).orElseThrow(),
          ElfSymbols.ofTable(file).orElseThrow(),
          directory.resolve("sum.c").toString());
    }
  }

  @Test
  void theDebugFileHasTheLinesOfAStrippedProgram() throws Exception {
    Path path = compiled("-g");
    run("objcopy", "--only-keep-debug", "sum", "sum.debug");
    run("objcopy", "--strip-all", "--add-gnu-debuglink=sum.debug", "sum");
    try (ElfFile file = ElfFile.open(path, budget)) {
      assertThat(LineTable.read(file, file)).isEmpty();
      try (ElfFile debug = ElfFile.of(DebugFile.of(file, path, directory).orElseThrow())) {
        expectLines(
            LineTable.read(debug, file).orElseThrow(),
            ElfSymbols.ofTable(debug).orElseThrow(),
            directory.resolve("sum.c").toString());
      }
    }
  }
}
