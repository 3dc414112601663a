package dev.ply.kernel.unwind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.jna.Native;
import dev.ply.bpf.unwind.UnwindRule;
import dev.ply.bpf.unwind.UnwindRule.Kind;
import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of real files are what readelf of binutils reads there. */
@Tag("any-java")
class UnwindSectionsTest {
  @TempDir private Path directory;

  private static UnwindSections.Read read(Path path) throws IOException {
    ReadBudget budget = ReadBudget.of(Duration.ofSeconds(60), 1L << 28);
    try (ElfFile file = ElfFile.open(path, budget)) {
      return UnwindSections.read(file).orElseThrow();
    }
  }

  private static Optional<Path> library(String name) {
    return List.of("/lib", "/usr/lib", "/usr/lib/jvm").stream()
        .flatMap(
            root ->
                List.of("x86_64-linux-gnu", "aarch64-linux-gnu").stream()
                    .map(machine -> Path.of(root, machine, name)))
        .filter(Files::exists)
        .findFirst();
  }

  private static List<String> differences(Path path) throws IOException {
    Optional<ReadelfFrames> readelf = ReadelfFrames.of(path);
    assumeThat(readelf).as("readelf").isPresent();
    UnwindTable table = read(path).table();
    List<String> differences = new ArrayList<>();
    List<ReadelfFrames.Row> rows = readelf.orElseThrow().rows();
    assertThat(rows).hasSizeGreaterThan(2);
    for (ReadelfFrames.Row row : rows) {
      UnwindRule rule = table.rule(row.address());
      if (!row.isSameAs(rule)) {
        differences.add(row + " is " + rule);
      }
    }
    return differences;
  }

  @ParameterizedTest
  @ValueSource(strings = {"libc.so.6", "ld-linux-x86-64.so.2", "libstdc++.so.6", "libcrypto.so.3"})
  void rowsOfLibrariesAreThoseOfReadelf(String name) throws IOException {
    assumeThat(library(name)).isPresent();
    assertThat(differences(library(name).orElseThrow())).isEmpty();
  }

  @Test
  void rowsOfThisJavaRuntimeAreThoseOfReadelf() throws IOException {
    Path runtime = Path.of(System.getProperty("java.home"), "lib/server/libjvm.so");
    assumeThat(runtime).exists();
    assertThat(differences(runtime)).isEmpty();
  }

  @Test
  void rowsOfArmAreThoseOfReadelf() throws IOException {
    Path library = directory.resolve("library");
    try (InputStream content =
        Native.class.getResourceAsStream("linux-aarch64/libjnidispatch.so")) {
      Files.write(library, Optional.ofNullable(content).orElseThrow().readAllBytes());
    }
    assertThat(differences(library)).isEmpty();
    assertThat(read(library).table().kinds()).containsKeys(Kind.SP, Kind.FP, Kind.SP_LINK);
  }

  @Test
  void expressionsOfStubsAndSignalFramesAreRecognised() throws IOException {
    assumeThat(library("libc.so.6")).isPresent();
    assumeThat(System.getProperty("os.arch")).isEqualTo("amd64");
    Map<Kind, Integer> kinds = read(library("libc.so.6").orElseThrow()).table().kinds();
    assertThat(kinds).containsKeys(Kind.PLT, Kind.SIGNAL, Kind.END);
  }

  @Test
  void aTableIsPrintedWithARowOnEachLine() throws IOException {
    Path library = directory.resolve("library");
    try (InputStream content =
        UnwindSectionsTest.class.getResourceAsStream("/dwarf/optimised.so")) {
      Files.write(library, Optional.ofNullable(content).orElseThrow().readAllBytes());
    }
    UnwindSections.Read read = read(library);
    assertThat(read.damaged()).isZero();
    assertThat(read.table().dump())
        .isEqualTo(
            """
            1000 sp+16
            1006 sp+24
            1010 plt>=11
            1040 sp+8
            10a2 sp+16
            10a3 sp+24 fp@-24
            10a6 sp+32 fp@-24
            10af sp+48 fp@-24
            10fc sp+56 fp@-24
            110b sp+64 fp@-24
            1140 sp+32 fp@-24
            1143 sp+24 fp@-24
            1144 sp+16 fp@-24
            1146 sp+8 fp@-24
            1147 none
            """);
  }
}
