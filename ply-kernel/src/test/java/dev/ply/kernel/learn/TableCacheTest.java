package dev.ply.kernel.learn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.unwind.UnwindSections;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-java")
class TableCacheTest {
  private static final UUID BOOT = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
  private static final int REGULAR = 0100000;
  private static final long SIZE = 1 << 20;

  /** Root's, which only root can write. */
  private static final FileFacts LIBRARY =
      new FileFacts(0, REGULAR | 0755, 12_345, 0x800000001L, 4711, 1_700_000_000_000_000_000L);

  private static final UnwindTable TABLE = table(1_000);

  @TempDir private Path directory;

  private Path cached;

  @BeforeEach
  void names() {
    cached = directory.resolve("ply").resolve("unwind");
  }

  private static UnwindTable table(int rows) {
    return UnwindTable.of(
        0x1000, LongStream.range(0, rows).map(row -> row << 33 | 7 * row).toArray(), rows);
  }

  private TableCache cache() {
    return TableCache.in(directory.resolve("ply"), BOOT, SIZE);
  }

  private static void assertHas(TableCache cache, FileFacts facts, UnwindTable table) {
    assertThat(cache.find(facts).map(UnwindTable::dump)).contains(table.dump());
    assertThat(cache.find(facts).map(UnwindTable::base)).contains(table.base());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(cached)) {
      return files.toList();
    }
  }

  @Test
  void anotherTraceFindsWhatOneHasStored() {
    cache().store(LIBRARY, TABLE);
    assertHas(cache(), LIBRARY, TABLE);
  }

  @Test
  void onlyTheSameFileHasTheTable() {
    cache().store(LIBRARY, TABLE);
    List<FileFacts> others =
        List.of(
            new FileFacts(0, REGULAR | 0755, 12_346, 0x800000001L, 4711, LIBRARY.changed()),
            new FileFacts(0, REGULAR | 0755, 12_345, 0x800000002L, 4711, LIBRARY.changed()),
            new FileFacts(0, REGULAR | 0755, 12_345, 0x800000001L, 4712, LIBRARY.changed()),
            new FileFacts(0, REGULAR | 0755, 12_345, 0x800000001L, 4711, LIBRARY.changed() + 1),
            new FileFacts(0, REGULAR | 0644, 12_345, 0x800000001L, 4711, LIBRARY.changed()));
    assertThat(others).allSatisfy(other -> assertThat(cache().find(other)).isEmpty());
    UUID later = new UUID(1, 2);
    assertThat(TableCache.in(directory.resolve("ply"), later, SIZE).find(LIBRARY)).isEmpty();
  }

  /** Neither stored nor found, even under the name of such a file. */
  @Test
  void filesThatOthersCanWriteHaveNone() throws IOException {
    long now = System.currentTimeMillis() * 1_000_000;
    List<FileFacts> others =
        List.of(
            new FileFacts(1000, REGULAR | 0755, 12_345, 0x800000001L, 4711, LIBRARY.changed()),
            new FileFacts(0, REGULAR | 0775, 12_345, 0x800000001L, 4711, LIBRARY.changed()),
            new FileFacts(0, REGULAR | 0757, 12_345, 0x800000001L, 4711, LIBRARY.changed()),
            new FileFacts(0, REGULAR | 0755, 12_345, 0x800000001L, 4711, now));
    for (FileFacts other : others) {
      cache().store(other, TABLE);
      assertThat(files()).isEmpty();
      Files.write(cached.resolve("800000001-1267"), TableFile.encode(BOOT, other, TABLE));
      assertThat(cache().find(other)).isEmpty();
      Files.delete(cached.resolve("800000001-1267"));
    }
  }

  @Test
  void whateverIsDamagedIsNotUsedButWrittenAgain() throws IOException {
    cache().store(LIBRARY, TABLE);
    Path file = files().get(0);
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at += 1 + at / 90) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 4;
      Files.write(file, damaged);
      assertThat(cache().find(LIBRARY)).as("byte %d", at).isEmpty();
    }
    for (int size : List.of(0, 1, 83, 84, 4096, whole.length - 1)) {
      Files.write(file, Arrays.copyOf(whole, size));
      assertThat(cache().find(LIBRARY)).as("%d bytes", size).isEmpty();
    }
    cache().store(LIBRARY, TABLE);
    assertHas(cache(), LIBRARY, TABLE);
  }

  @Test
  void onlyItsOwnerHasAccess() throws IOException {
    cache().store(LIBRARY, TABLE);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cached)))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().get(0))))
        .isEqualTo("rw-------");
    Files.setPosixFilePermissions(cached, PosixFilePermissions.fromString("rwxr-x---"));
    assertThat(cache().find(LIBRARY)).isEmpty();
    Files.setPosixFilePermissions(cached, PosixFilePermissions.fromString("rwx------"));
    Files.setPosixFilePermissions(cached.getParent(), PosixFilePermissions.fromString("rwxrwx---"));
    assertThat(cache().find(LIBRARY)).isEmpty();
  }

  @Test
  void symbolicLinksAreNotFollowed() throws IOException {
    cache().store(LIBRARY, TABLE);
    Path file = files().get(0);
    Path moved = Files.move(file, directory.resolve("moved"));
    Files.createSymbolicLink(file, moved);
    assertThat(cache().find(LIBRARY)).isEmpty();
    cache().store(LIBRARY, table(2_000));
    assertThat(Files.isSymbolicLink(file)).isFalse();
    assertThat(TableFile.decode(BOOT, LIBRARY, Files.readAllBytes(moved))).isPresent();

    Path elsewhere = Files.move(cached, directory.resolve("elsewhere"));
    Files.createSymbolicLink(cached, elsewhere);
    assertThat(cache().find(LIBRARY)).isEmpty();
  }

  @Test
  void whatWasUsedLongestAgoMakesRoom() throws IOException {
    List<FileFacts> libraries =
        IntStream.range(0, 4)
            .mapToObj(i -> new FileFacts(0, REGULAR | 0755, 1, 1, 100 + i, LIBRARY.changed()))
            .toList();
    // Three are more than the limit.
    UnwindTable third = table((int) SIZE / 3 / Long.BYTES);
    cache().store(libraries.get(0), third);
    cache().store(libraries.get(1), third);
    for (Path file : files()) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(file.endsWith("1-64") ? 1_000 : 2_000));
    }
    assertHas(cache(), libraries.get(0), third);
    cache().store(libraries.get(2), third);
    assertHas(cache(), libraries.get(0), third);
    assertThat(cache().find(libraries.get(1))).isEmpty();
    assertHas(cache(), libraries.get(2), third);
    assertThat(files()).hasSize(2);
  }

  @Test
  void nothingIsStoredWhereNothingCanBe() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    for (TableCache cache :
        List.of(
            TableCache.none(),
            TableCache.in(file, BOOT, SIZE),
            TableCache.in(directory.resolve("missing/ply"), BOOT, SIZE),
            TableCache.in(Path.of("/proc/ply"), BOOT, SIZE))) {
      cache.store(LIBRARY, TABLE);
      assertThat(cache.find(LIBRARY)).isEqualTo(Optional.empty());
    }
  }

  /** Of the same files: where this fails, tables are others, and so is {@link TableFile#FORMAT}. */
  @Test
  void anotherVersionMakesOtherTables() throws IOException {
    CRC32C checksum = new CRC32C();
    for (String library : List.of("optimised", "classes", "arguments-5")) {
      Path path = directory.resolve(library);
      try (InputStream content =
          TableCacheTest.class.getResourceAsStream("/dwarf/" + library + ".so")) {
        Files.write(path, Objects.requireNonNull(content).readAllBytes());
      }
      try (ElfFile file = ElfFile.open(path, ReadBudget.of(Duration.ofSeconds(10)))) {
        UnwindTable table = UnwindSections.read(file).orElseThrow().table();
        checksum.update(TableFile.encode(BOOT, LIBRARY, table));
      }
    }
    assertThat(Long.toHexString(checksum.getValue())).isEqualTo("8c2aa9f3");
  }
}
