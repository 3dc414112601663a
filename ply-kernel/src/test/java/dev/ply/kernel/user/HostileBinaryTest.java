package dev.ply.kernel.user;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.dwarf.LineBytes;
import dev.ply.kernel.dwarf.LineTable;
import dev.ply.kernel.elf.BadElfException;
import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.TestElf;
import dev.ply.kernel.elf.TestElf.Function;
import dev.ply.kernel.elf.UsdtNote;
import dev.ply.kernel.jit.PerfMap;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.symbolize.SourceFiles;
import dev.ply.kernel.symbolize.SourceFiles.Origin;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.NotRegularFileException;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.Resource;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.target.SourceLine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are made to be costly to read, as any user may make them. Each would take minutes, or
 * more memory than there is, if it were read as it asks to be.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("any-java")
final class HostileBinaryTest {
  private static final long CODE = TestElf.CODE_ADDRESS;
  private static final int MEMORY = 64 << 20;
  private static final int NOBODY = 65534;

  private final ReadBudget budget = ReadBudget.of(Duration.ofSeconds(1), MEMORY);

  @TempDir Path directory;

  private static TestElf elf() {
    return new TestElf(ByteOrder.LITTLE_ENDIAN);
  }

  /** Root's own files cost no time; those of the test are to. */
  private static Path asNobody(Path file) throws IOException {
    if ((Integer) Files.getAttribute(file, "unix:uid") == 0) {
      Files.setAttribute(file, "unix:uid", NOBODY);
    }
    return file;
  }

  private BinarySymbols symbols(Path path) throws IOException {
    try (ElfFile file = ElfFile.open(path, budget)) {
      return BinarySymbols.of(file, path, directory);
    }
  }

  /** Changes headers of a file that is otherwise right. */
  private static void patch(Path path, java.util.function.Consumer<ByteBuffer> change)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    change.accept(bytes);
    Files.write(path, bytes.array());
  }

  private static int sectionHeader(ByteBuffer bytes, int section) {
    return (int) bytes.getLong(40) + 64 * section;
  }

  @Test
  void namesThatShareAMegabyteAreCut() throws IOException {
    int functions = 20_000;
    byte[] names = new byte[1 << 20];
    Arrays.fill(names, (byte) 'x');
    long[] addresses = new long[functions];
    Arrays.fill(addresses, CODE);
    BinarySymbols symbols =
        symbols(
            elf()
                .symbols(addresses, 16, IntStream.rangeClosed(1, functions).toArray(), names)
                .write(directory.resolve("a")));
    for (int i = 0; i < 100_000; i++) {
      assertThat(symbols.at(CODE + i % 16)).isPresent();
    }
    assertThat(symbols.at(CODE).orElseThrow().name()).hasSize(1 << 12);
    assertThat(symbols.table().names().mapToLong(String::length).sum()).isLessThan(16 << 20);
    assertThat(symbols.table().matching(name -> name.length() < 2)).isEmpty();
  }

  @Test
  void functionsAtOneAddressAreNotAllLookedThrough() throws IOException {
    int functions = 200_000;
    long[] addresses = new long[functions];
    Arrays.fill(addresses, CODE);
    int[] names = new int[functions];
    Arrays.fill(names, 1);
    BinarySymbols symbols =
        symbols(
            elf()
                .symbols(addresses, 1, names, "\0f\0".getBytes(StandardCharsets.US_ASCII))
                .write(directory.resolve("a")));
    for (int i = 0; i < 100_000; i++) {
      assertThat(symbols.at(CODE + 5)).isEmpty();
    }
    assertThat(symbols.at(CODE)).map(ElfSymbol::name).contains("f");
  }

  @Test
  void aSparseTableOfNamesExceedsTheMemory() throws IOException {
    Path small = elf().symbols(2, new Function("f", CODE, 8)).write(directory.resolve("small"));
    Path large = directory.resolve("large");
    Files.copy(small, large);
    long size = 1L << 28;
    patch(large, bytes -> bytes.putLong(sectionHeader(bytes, 2) + 32, size - 8));
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(2 * size);
    }
    assertThatThrownBy(() -> symbols(large)).isInstanceOf(BudgetExceededException.class);
    assertThat(budget.exceeded()).containsExactly(Resource.MEMORY);
    assertThat(symbols(small).at(CODE)).isPresent();
  }

  @Test
  void tablesOfNothingAreReadAsLongAsThereIsTime() throws IOException {
    Path file = elf().symbols(2, new Function("f", CODE, 8)).write(directory.resolve("a"));
    long size = 1L << 28;
    patch(file, bytes -> bytes.putLong(sectionHeader(bytes, 1) + 32, size));
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(2 * size);
    }
    asNobody(file);
    ReadBudget short1 = ReadBudget.of(Duration.ofMillis(1), MEMORY);
    assertThatThrownBy(
            () -> {
              try (ElfFile elf = ElfFile.open(file, short1)) {
                BinarySymbols.of(elf, file, directory);
              }
            })
        .isInstanceOf(BudgetExceededException.class);
    assertThat(short1.exceeded()).containsExactly(Resource.TIME);
  }

  @Test
  void sectionsOfAThousandFilesAreNotKept() throws IOException {
    Path path = elf().symbols(2, new Function("f", CODE, 8)).write(directory.resolve("a"));
    patch(
        path,
        bytes -> {
          int names = Short.toUnsignedInt(bytes.getShort(62));
          bytes.putLong(sectionHeader(bytes, names) + 32, 1 << 20);
        });
    try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
      sparse.setLength(2 << 20);
    }
    for (int i = 0; i < 200; i++) {
      try (ElfFile file = ElfFile.open(path, budget)) {
        assertThat(budget.claims().bytes()).isGreaterThan(1 << 20);
        file.forgetSections();
      }
    }
    assertThat(budget.claims().bytes()).isLessThan(200 * 200);
  }

  @Test
  void headersWithoutEndAreRefused() throws IOException {
    Path segments = elf().write(directory.resolve("segments"));
    patch(
        segments,
        bytes -> {
          for (int i = 0; i < 140; i++) {
            bytes.putInt(64 + 56 * i, 1);
          }
          bytes.putShort(56, (short) 140);
        });
    assertThatThrownBy(() -> ElfFile.open(segments, budget))
        .isInstanceOf(BadElfException.class)
        .hasMessageEndingWith(" has 140 segments to load");
    Path strides = elf().write(directory.resolve("strides"));
    patch(strides, bytes -> bytes.putShort(58, (short) 1));
    assertThatThrownBy(() -> ElfFile.open(strides, budget)).isInstanceOf(BadElfException.class);
    Path sections = elf().write(directory.resolve("sections"));
    patch(
        sections,
        bytes -> {
          bytes.putShort(60, (short) 0);
          bytes.putLong(sectionHeader(bytes, 0) + 32, Long.MAX_VALUE);
        });
    assertThatThrownBy(() -> ElfFile.open(sections, budget)).isInstanceOf(BadElfException.class);
  }

  @Test
  void notesWithoutEndAreNotKept() throws IOException {
    byte[] empty = new byte[3 << 20];
    Path many = elf().section(".note.stapsdt", 7, 0, empty).write(directory.resolve("many"));
    try (ElfFile file = ElfFile.open(many, budget)) {
      assertThat(UsdtNote.all(file)).isEmpty();
    }
    byte[] argument = new byte[1 << 16];
    Arrays.fill(argument, 24, argument.length, (byte) 'a');
    Path large =
        elf().note(".note.stapsdt", "stapsdt", 3, argument).write(directory.resolve("large"));
    try (ElfFile file = ElfFile.open(large, budget)) {
      assertThat(UsdtNote.all(file)).isEmpty();
    }
  }

  private Path linked(String name) throws IOException {
    byte[] link = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), name.length() + 8);
    return asNobody(elf().section(".gnu_debuglink", 1, 0, link).write(directory.resolve("linked")));
  }

  @Test
  void debugLinksLeadNowhereElse() throws Exception {
    assertThat(symbols(linked("../linked")).isStripped()).isTrue();
    assertThat(symbols(linked("..")).isStripped()).isTrue();
    assertThat(symbols(linked("x".repeat(5000))).isStripped()).isTrue();
    assertThat(symbols(linked("\u00e9\ufffd")).isStripped()).isTrue();
    fifo("pipe");
    assertThat(symbols(linked("pipe")).isStripped()).isTrue();
  }

  @Test
  void patternsDoNotWaitForPipes() throws Exception {
    fifo("pipe");
    Path inside = Files.createDirectory(directory.resolve("inside"));
    Path program = Files.createFile(inside.resolve("program"));
    assertThat(new PathPattern(100).paths(directory + "/*/prog*", Path.of("/")))
        .containsExactly(program.toString());
  }

  @Test
  void theChecksumOfGigabytesTakesNoLongerThanThereIsTime() throws IOException {
    Path sparse = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength((1L << 32) - 1);
    }
    asNobody(sparse);
    ReadBudget little = ReadBudget.of(Duration.ofMillis(10), MEMORY);
    Path linked = linked("sparse");
    try (ElfFile file = ElfFile.open(linked, little)) {
      assertThat(BinarySymbols.of(file, linked, directory).isStripped()).isTrue();
    }
    assertThat(little.exceeded()).containsExactly(Resource.TIME);
  }

  @Test
  void buildIdsAreShort() throws IOException {
    Path file =
        elf().note(".note.gnu.build-id", "GNU", 3, new byte[1 << 16]).write(directory.resolve("a"));
    assertThat(symbols(file).isStripped()).isTrue();
  }

  @Test
  void aSparsePerfMapExceedsTheMemory() throws IOException {
    Path file = directory.resolve("perf-1.map");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }
    int owner = (Integer) Files.getAttribute(file, "unix:uid");
    assertThat(PerfMap.read(file, owner, budget)).isEmpty();
    assertThat(budget.exceeded()).containsExactly(Resource.MEMORY);
    Files.writeString(file, "\n".repeat(1 << 20));
    assertThat(PerfMap.read(file, owner, budget)).isEmpty();
    Files.writeString(file, "2000 10 " + "x".repeat(1 << 20));
    assertThat(PerfMap.read(file, owner, budget).orElseThrow().at(0x2000).orElseThrow().name())
        .hasSize(1 << 12);
  }

  private Path fifo(String name) throws Exception {
    Path fifo = directory.resolve(name);
    int status = new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
    assumeTrue(status == 0, "there is no mkfifo");
    return fifo;
  }

  @Test
  void whatIsNoFileIsNeitherWaitedForNorWoken() throws Exception {
    Path fifo = fifo("perf-1.map");
    Process writer =
        new ProcessBuilder("sh", "-c", "echo ready; echo >'" + fifo + "'; echo woken").start();
    try {
      assertThat(writer.inputReader().readLine()).isEqualTo("ready");
      for (int i = 0; i < 100; i++) {
        assertThatThrownBy(() -> UntrustedFile.open(fifo, Links.FOLLOWED, budget))
            .isInstanceOf(NotRegularFileException.class);
      }
      assertThat(writer.isAlive()).isTrue();
    } finally {
      writer.destroyForcibly();
    }
    assertThatThrownBy(() -> UntrustedFile.open(Path.of("/dev/null"), Links.FOLLOWED, budget))
        .isInstanceOf(NotRegularFileException.class);
    assertThatThrownBy(() -> UntrustedFile.open(directory, Links.FOLLOWED, budget))
        .isInstanceOf(NotRegularFileException.class);
  }

  @Test
  void aFileThatIsReplacedIsReadAsItWasChecked() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "checked");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThatThrownBy(() -> UntrustedFile.open(link, Links.REFUSED, budget))
        .isInstanceOf(NotRegularFileException.class);
    try (UntrustedPath inspected = UntrustedPath.open(link, Links.FOLLOWED)) {
      Files.delete(file);
      Files.writeString(file, "swapped");
      try (UntrustedFile opened = UntrustedFile.open(inspected.path(), Links.FOLLOWED, budget)) {
        assertThat(new String(opened.read(0, 7).array(), StandardCharsets.US_ASCII))
            .isEqualTo("checked");
      }
    }
  }

  @Test
  void mappingsWithoutEndAreLeftOut() throws IOException {
    String path = "/" + "x".repeat(3000);
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 200_000; i++) {
      text.append(Integer.toHexString(i)).append("000-").append(Integer.toHexString(i));
      text.append("fff r-xp 00000000 08:01 4711 ").append(i < 10_000 ? path + i : "").append('\n');
    }
    byte[] maps = text.toString().getBytes(StandardCharsets.US_ASCII);
    try (Allowance allowance = budget.allowance(true)) {
      assertThatThrownBy(() -> ProcessMaps.read(new ByteArrayInputStream(maps), allowance))
          .isInstanceOf(BudgetExceededException.class);
      allowance.release();
      byte[] nameless = text.toString().replaceAll("/x+", "").getBytes(StandardCharsets.US_ASCII);
      assertThat(ProcessMaps.read(new ByteArrayInputStream(nameless), allowance)).hasSize(1 << 17);
    }
  }

  @Test
  void noFileTakesWhatAllMayTake() throws IOException {
    try (Allowance first = budget.allowance(false);
        Allowance second = budget.allowance(false);
        Allowance third = budget.allowance(false);
        Allowance root = budget.allowance(true)) {
      assertThatThrownBy(() -> first.claim(MEMORY / 4 + 1))
          .isInstanceOf(BudgetExceededException.class);
      first.claim(MEMORY / 4);
      second.claim(MEMORY / 4);
      assertThatThrownBy(() -> third.claim(1)).isInstanceOf(BudgetExceededException.class);
      root.claim(MEMORY / 2);
      first.release();
      third.claim(1);
    }
    assertThat(requireNonNull(budget.exceeded())).containsExactly(Resource.MEMORY);
  }

  private static TestElf lines(LineBytes lines) {
    return elf().section(".debug_line", 1, 0, lines.toBytes());
  }

  private Optional<SourceLine> line(Path path) throws IOException {
    try (ElfFile file = ElfFile.open(path, budget);
        Allowance looking = budget.allowance(false)) {
      Optional<LineTable> table = LineTable.read(file, file);
      return table.isPresent() ? table.get().at(CODE, looking) : Optional.empty();
    }
  }

  @Test
  void tablesOfFilesWithoutEndEndWithTheirUnit() throws IOException {
    byte[] endless = {-1, -1, -1, -1, -1, -1, -1, -1, 127};
    LineBytes ofNothing = new LineBytes().add(0).add(endless);
    Path nothing =
        lines(LineBytes.unit5(ofNothing, LineBytes.program())).write(directory.resolve("nothing"));
    assertThat(line(nothing)).isEmpty();
    LineBytes ofBytes = new LineBytes().add(1, 1, 0x0b).add(endless).add(new byte[1 << 20]);
    Path octets =
        lines(LineBytes.unit5(ofBytes, LineBytes.program())).write(directory.resolve("octets"));
    assertThat(line(octets)).isEmpty();
    LineBytes names = new LineBytes().add(0);
    for (int i = 0; i < 1 << 18; i++) {
      names.add('x', 0, 0x80 | (i & 0x7f), 0x80, 0, 0, 0);
    }
    Path many = lines(LineBytes.unit4(names, LineBytes.program())).write(directory.resolve("many"));
    assertThat(line(many)).contains(new SourceLine("x", 7));
  }

  @Test
  void namesOfFilesWithoutEndAreCut() throws IOException {
    LineBytes names = new LineBytes().add(0).string("x".repeat(1 << 20)).add(0, 0, 0, 0);
    Path file = lines(LineBytes.unit4(names, LineBytes.program())).write(directory.resolve("a"));
    assertThat(line(file).orElseThrow().file()).hasSize(1 << 12);
  }

  @Test
  void sequencesWithoutEndExceedTheMemory() throws IOException {
    LineBytes program = new LineBytes();
    LineBytes sequence = LineBytes.program();
    for (int i = 0; i < 400_000; i++) {
      program.add(sequence);
    }
    Path file = lines(LineBytes.unit4(LineBytes.files4(), program)).write(directory.resolve("a"));
    assertThatThrownBy(() -> line(file)).isInstanceOf(BudgetExceededException.class);
    assertThat(budget.exceeded()).containsExactly(Resource.MEMORY);
  }

  @Test
  void sparseLinesTakeNoMoreThanThereIs() throws IOException {
    Path file = lines(LineBytes.program()).write(directory.resolve("a"));
    long size = 1L << 28;
    patch(file, bytes -> bytes.putLong(sectionHeader(bytes, 1) + 32, size));
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(2 * size);
    }
    assertThatThrownBy(() -> line(file)).isInstanceOf(BudgetExceededException.class);
    assertThat(budget.exceeded()).containsExactly(Resource.MEMORY);
    // Units of no bytes, as long as there is time.
    patch(start(file), bytes -> bytes.putLong(sectionHeader(bytes, 1) + 32, 8 << 20));
    ReadBudget little = ReadBudget.of(Duration.ofMillis(1), MEMORY);
    assertThatThrownBy(
            () -> {
              try (ElfFile elf = ElfFile.open(asNobody(directory.resolve("copy")), little)) {
                LineTable.read(elf, elf);
              }
            })
        .isInstanceOf(BudgetExceededException.class);
    assertThat(little.exceeded()).containsExactly(Resource.TIME);
  }

  /** The first 16 MiB of a file. */
  private Path start(Path file) throws IOException {
    Path copy = directory.resolve("copy");
    Files.copy(file, copy);
    try (RandomAccessFile cut = new RandomAccessFile(copy.toFile(), "rw")) {
      cut.setLength(16 << 20);
    }
    return copy;
  }

  private Path compressed(String name, int type, long declared, byte[] content) throws IOException {
    Deflater deflater = new Deflater();
    deflater.setInput(content);
    deflater.finish();
    byte[] deflated = new byte[content.length + 100];
    int size = deflater.deflate(deflated);
    deflater.end();
    LineBytes section = new LineBytes().number(4, type).number(4, 0).number(8, declared);
    section.number(8, 1).add(Arrays.copyOf(deflated, size));
    Path file = lines(section).write(directory.resolve(name));
    patch(file, bytes -> bytes.putLong(sectionHeader(bytes, 1) + 8, 0x800));
    return file;
  }

  @Test
  void compressedSectionsAreNoLargerThanTheyCanBe() throws IOException {
    byte[] unit = LineBytes.unit4(LineBytes.files4(), LineBytes.program()).toBytes();
    assertThat(line(compressed("right", 1, unit.length, unit))).contains(new SourceLine("a.c", 7));
    assertThat(line(compressed("unknown", 2, unit.length, unit))).isEmpty();
    for (long wrong : new long[] {-1, Integer.MAX_VALUE, 1 << 28, 1 << 20}) {
      Path file = compressed("larger" + wrong, 1, wrong, unit);
      assertThatThrownBy(() -> line(file))
          .isInstanceOf(BadElfException.class)
          .hasMessageContaining(" has a compressed section of ");
    }
    Path early = compressed("early", 1, unit.length + 1, unit);
    assertThatThrownBy(() -> line(early))
        .isInstanceOf(BadElfException.class)
        .hasMessageEndingWith(" has a compressed section that ends early");
    Path bomb = compressed("bomb", 1, 100 << 20, new byte[100 << 20]);
    assertThatThrownBy(() -> line(bomb)).isInstanceOf(BudgetExceededException.class);
    assertThat(budget.exceeded()).containsExactly(Resource.MEMORY);
    Path cut = compressed("cut", 1, 1, new byte[0]);
    patch(cut, bytes -> bytes.putLong(sectionHeader(bytes, 1) + 32, 20));
    assertThatThrownBy(() -> line(cut)).isInstanceOf(BadElfException.class);
  }

  @Test
  void aFileThatChangedHasNoLines() throws IOException {
    byte[] unit = LineBytes.unit4(LineBytes.files4(), LineBytes.program()).toBytes();
    Path file = lines(new LineBytes().add(unit)).write(directory.resolve("a"));
    SourceFiles sources = new SourceFiles(budget, new FileMemory(MemoryBudget.of(MEMORY)));
    Origin origin = origin(file);
    assertThat(sources.line(origin, CODE)).contains(new SourceLine("a.c", 7));
    assertThat(new SourceFiles(budget, new FileMemory(MemoryBudget.of(MEMORY))).line(origin, CODE))
        .isPresent();
    Files.delete(file);
    lines(new LineBytes().add(unit)).write(file);
    assertThat(new SourceFiles(budget, new FileMemory(MemoryBudget.of(MEMORY))).line(origin, CODE))
        .isEmpty();
    assertThat(sources.line(origin, CODE)).contains(new SourceLine("a.c", 7));
  }

  private Origin origin(Path file) throws IOException {
    try (UntrustedFile opened = UntrustedFile.open(file, Links.FOLLOWED, budget)) {
      return new Origin(opened.facts(), file, file, Path.of("/"));
    }
  }
}
