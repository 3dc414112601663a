package dev.ply.kernel.elf;

import static dev.ply.kernel.elf.TestElf.CODE_ADDRESS;
import static dev.ply.kernel.elf.TestElf.CODE_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.kernel.elf.TestElf.Function;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ElfFileTest {
  private static final Function FIRST = new Function("first", CODE_ADDRESS, 16);
  private static final Function SECOND = new Function("second", CODE_ADDRESS + 16, 8);

  private final ReadBudget budget = ReadBudget.of(Duration.ofSeconds(10));

  @TempDir Path directory;

  private TestElf elf() {
    return new TestElf(ByteOrder.LITTLE_ENDIAN);
  }

  private BinarySymbols symbols(Path path) throws IOException {
    try (ElfFile file = ElfFile.open(path, budget)) {
      return BinarySymbols.of(file, path, directory);
    }
  }

  @Test
  void addressesAndOffsetsAreThoseOfItsSegments() throws IOException {
    try (ElfFile file = ElfFile.open(elf().write(directory.resolve("a")), budget)) {
      assertThat(file.codeOffset(CODE_ADDRESS + 5)).hasValue(CODE_OFFSET + 5);
      assertThat(file.codeOffset(CODE_ADDRESS - 1)).isEmpty();
      assertThat(file.codeOffset(0x10010)).isEmpty();
      assertThat(file.dataOffset(0x10010)).hasValue(0x10);
      assertThat(file.address(CODE_OFFSET + 5)).hasValue(CODE_ADDRESS + 5);
      assertThat(file.machine()).isEqualTo(62);
    }
  }

  @Test
  void functionsAreFoundByNameAndAddress() throws IOException {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      Path file =
          new TestElf(order).symbols(2, SECOND, FIRST).write(directory.resolve(order.toString()));
      BinarySymbols symbols = symbols(file);
      assertThat(symbols.isStripped()).isFalse();
      assertThat(symbols.table().named("second"))
          .singleElement()
          .extracting(ElfSymbol::address)
          .isEqualTo(CODE_ADDRESS + 16L);
      assertThat(symbols.at(CODE_ADDRESS + 15))
          .get()
          .extracting(ElfSymbol::name)
          .isEqualTo("first");
      assertThat(symbols.at(CODE_ADDRESS + 23))
          .get()
          .extracting(ElfSymbol::name)
          .isEqualTo("second");
      assertThat(symbols.at(CODE_ADDRESS + 24)).isEmpty();
      assertThat(symbols.hasStart(CODE_ADDRESS, CODE_ADDRESS + 24)).isTrue();
      assertThat(symbols.hasStart(CODE_ADDRESS, CODE_ADDRESS + 3)).isFalse();
      assertThat(symbols.hasStart(CODE_ADDRESS - 1, CODE_ADDRESS)).isTrue();
      assertThat(symbols.hasStart(0, CODE_ADDRESS - 1)).isFalse();
      assertThat(symbols.at(CODE_ADDRESS - 1)).isEmpty();
      assertThat(symbols.table().named("sec")).isEmpty();
    }
  }

  @Test
  void versionsAndIndirectFunctionsAreTold() throws IOException {
    Path file =
        elf()
            .symbols(
                11,
                new Function("copy", CODE_ADDRESS, 8, 10, 3),
                new Function("move", CODE_ADDRESS + 8, 8, 2, 0x8002),
                new Function("move", CODE_ADDRESS + 16, 8, 2, 2))
            .write(directory.resolve("lib"));
    BinarySymbols symbols = symbols(file);
    assertThat(symbols.isStripped()).isTrue();
    assertThat(symbols.exports().named("copy")).allMatch(ElfSymbol::isIndirect).hasSize(1);
    assertThat(symbols.exports().named("move"))
        .extracting(ElfSymbol::isSuperseded)
        .containsExactly(true, false);
  }

  @Test
  void theSymbolsOfAStrippedFileAreInAnother() throws IOException {
    Path debug = elf().symbols(2, FIRST).write(directory.resolve("a.debug"));
    CRC32 crc = new CRC32();
    crc.update(Files.readAllBytes(debug));
    byte[] link =
        ByteBuffer.allocate(12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(0, "a.debug".getBytes(StandardCharsets.US_ASCII))
            .putInt(8, (int) crc.getValue())
            .array();
    Path file = elf().section(".gnu_debuglink", 1, 0, link).write(directory.resolve("a"));
    assertThat(symbols(file).table().names()).containsExactly("first");
    Files.write(debug, new byte[] {0}, java.nio.file.StandardOpenOption.APPEND);
    assertThat(symbols(file).isStripped()).isTrue();
  }

  @Test
  void theOtherFileMayBeNamedByTheBuild() throws IOException {
    Path debug = directory.resolve("usr/lib/debug/.build-id/ab/cdef.debug");
    Files.createDirectories(debug.getParent());
    elf().symbols(2, SECOND).write(debug);
    byte[] id = {(byte) 0xab, (byte) 0xcd, (byte) 0xef};
    Path file = elf().note(".note.gnu.build-id", "GNU", 3, id).write(directory.resolve("b"));
    assertThat(symbols(file).table().names()).containsExactly("second");
  }

  @Test
  void whatIsNoSuchFileIsToldFromOneThatIsCut() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "#!/bin/sh\n".repeat(20));
    assertThatThrownBy(() -> ElfFile.open(text, budget))
        .isInstanceOf(BadElfException.class)
        .hasMessageEndingWith("it is not an ELF file");
    assertThatThrownBy(() -> ElfFile.open(Files.createFile(directory.resolve("empty")), budget))
        .isInstanceOf(BadElfException.class)
        .hasMessageEndingWith("it is not an ELF file");
    byte[] whole = Files.readAllBytes(elf().symbols(2, FIRST).write(directory.resolve("whole")));
    for (int length = 0; length < whole.length; length += 64) {
      Path cut = Files.write(directory.resolve("cut"), java.util.Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> symbols(cut)).isInstanceOf(BadElfException.class);
    }
  }
}
