package dev.ply.kernel.elf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.kernel.dwarf.DebugInfo;
import dev.ply.kernel.dwarf.LineTable;
import dev.ply.kernel.elf.TestElf.Function;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is read of a file is claimed before it is allocated, and what is not kept is released. */
@Timeout(60)
final class MemoryClaimsTest {
  private static final int MEMORY = 32 << 20;

  private final ReadBudget budget = ReadBudget.of(Duration.ofSeconds(10), MEMORY);

  @TempDir Path directory;

  /** Reads something of a file. */
  private interface Reader {
    Object read(ElfFile file) throws IOException;
  }

  private Object read(Path path, Reader reader) throws IOException {
    try (ElfFile file = ElfFile.open(path, budget)) {
      return reader.read(file);
    }
  }

  private long kept() {
    return budget.claims().bytes();
  }

  private void assertRefused(Path path, Reader reader) {
    assertThatThrownBy(() -> read(path, reader)).isInstanceOf(BudgetExceededException.class);
    budget.releaseAll();
  }

  @Test
  void functionsTakeNoMoreThanTheirNamesAndNumbers() throws IOException {
    Function[] functions = new Function[1000];
    for (int i = 0; i < functions.length; i++) {
      functions[i] = new Function("function" + (1000 + i), TestElf.CODE_ADDRESS + i, 1);
    }
    Path path =
        new TestElf(ByteOrder.LITTLE_ENDIAN)
            .symbols(2, functions)
            .symbols(11, functions)
            .write(directory.resolve("a"));
    Object symbols = read(path, file -> BinarySymbols.of(file, path, directory));
    assertThat(((BinarySymbols) symbols).table().size()).isEqualTo(1000);
    // An address, a size, the start of the name, traits; two segments of the file.
    assertThat(kept()).isEqualTo(2 * (1000 * (8 + 8 + 4 + 1 + 13) + 1) + 2 * 64);
  }

  @Test
  void shapesOfManyAttributesExceedTheMemory() throws IOException {
    assertRefused(
        Bombs.shapes(directory.resolve("a")),
        file -> DebugInfo.declarations(file, Map.of((long) TestElf.CODE_ADDRESS, "bomb")));
  }

  @Test
  void unitsOfTypesExceedTheMemory() throws IOException {
    assertRefused(
        Bombs.typeUnits(directory.resolve("a")),
        file -> DebugInfo.prototype(file, TestElf.CODE_ADDRESS, "bomb"));
  }

  @Test
  void namesWithoutEndExceedTheMemory() throws IOException {
    assertRefused(Bombs.names(directory.resolve("a")), ElfSymbols::ofTable);
  }

  @Test
  void manySectionsAreRefusedBeforeTheyAreRead() throws IOException {
    Path path = Bombs.sectionHeaders(directory.resolve("a"));
    ReadBudget little = ReadBudget.of(Duration.ofSeconds(10), 8 << 20);
    assertThatThrownBy(() -> ElfFile.open(path, little))
        .isInstanceOf(BudgetExceededException.class);
    assertThat(little.claims().bytes()).isZero();
  }

  @Test
  void nothingIsKeptOfNotesThatAreNone() throws IOException {
    Path path = Bombs.notes(directory.resolve("a"));
    ReadBudget much = ReadBudget.of(Duration.ofSeconds(10), 64 << 20);
    try (ElfFile file = ElfFile.open(path, much)) {
      long before = much.claims().bytes();
      assertThat(UsdtNote.all(file)).isEmpty();
      assertThat(much.claims().bytes()).isEqualTo(before);
    }
    ReadBudget little = ReadBudget.of(Duration.ofSeconds(10), 12 << 20);
    assertThatThrownBy(
            () -> {
              try (ElfFile file = ElfFile.open(path, little)) {
                UsdtNote.all(file);
              }
            })
        .isInstanceOf(BudgetExceededException.class);
  }

  @Test
  void compressedContentIsReleased() throws IOException {
    Path path = Bombs.zeros(directory.resolve("a"), ".debug_info");
    budget.releaseAll();
    ReadBudget much = ReadBudget.of(Duration.ofSeconds(10), 128 << 20);
    try (ElfFile file = ElfFile.open(path, much)) {
      long before = much.claims().bytes();
      assertThat(DebugSection.read(file, ".debug_info").orElseThrow().limit()).isEqualTo(20 << 20);
      assertThat(much.claims().bytes() - before).isEqualTo(20 << 20);
    }
    assertRefused(path, file -> DebugSection.read(file, ".debug_info"));
  }

  @Test
  void everyBombIsReadOrRefusedWithinTheMemory() throws IOException {
    for (Map.Entry<String, Path> bomb : Bombs.all(directory).entrySet()) {
      for (Reader reader :
          List.<Reader>of(
              file -> BinarySymbols.of(file, bomb.getValue(), directory),
              file -> BuildId.of(file),
              UsdtNote::all,
              ElfSymbols::ofVariables,
              file -> LineTable.read(file, file),
              file -> DebugInfo.prototype(file, TestElf.CODE_ADDRESS, "bomb"),
              file -> DebugInfo.results(file, Map.of((long) TestElf.CODE_ADDRESS, "bomb")))) {
        try {
          Object unused = read(bomb.getValue(), reader);
        } catch (BadElfException | BudgetExceededException e) {
          assertThat(e).as(bomb.getKey()).hasMessageNotContaining("null");
        }
        budget.releaseAll();
      }
    }
  }
}
