package dev.ply.kernel.unwind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.bpf.unwind.UnwindRule.Kind;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.procfs.Vdso;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The library that this kernel maps into processes has a table, as any other has. */
@Tag("any-java")
class VdsoTableTest {
  private static List<Mapping> mappings() throws IOException {
    try (InputStream maps = Files.newInputStream(Path.of("/proc/self/maps"));
        Allowance allowance = ReadBudget.of(Duration.ofSeconds(10)).allowance(true)) {
      return ProcessMaps.read(maps, allowance);
    }
  }

  @Test
  void itIsReadAsAFile() throws IOException {
    assumeThat(mappings()).as("a vDSO").anyMatch(Vdso::is);
    try (ElfFile file = ElfFile.of(Vdso.open(ReadBudget.of(Duration.ofSeconds(10))))) {
      UnwindSections.Read read = UnwindSections.read(file).orElseThrow();
      assertThat(read.damaged()).isZero();
      assertThat(read.table().kinds()).containsKey(Kind.SP);
    }
  }

  /** What was unmapped in part, or is another kernel's, is not this library. */
  @Test
  void otherMappingsAreNone() throws IOException {
    for (Mapping own : mappings()) {
      assertThat(Vdso.is(new Mapping(own.start(), own.end() - 4096, true, 0, 0, own.name())))
          .isFalse();
      assertThat(Vdso.is(new Mapping(0x1000, 0x3000, true, 0, 0, own.name()))).isFalse();
    }
  }
}
