package dev.ply.kernel.jit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.mapping.FileIdentity;
import dev.ply.kernel.mapping.FileMapping;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.target.KernelSymbols.Symbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EndedRuntimesTest {
  private static final int PROCESS = 4711;

  @TempDir Path directory = Path.of("");

  private final MissingNames missing = new MissingNames();

  private EndedRuntimes runtimes() {
    return new EndedRuntimes(directory, ReadBudget.of(Duration.ofSeconds(10)), missing);
  }

  /** The clock of files has steps: it is written again until it is surely not older. */
  private Path mapSince(Instant begin) throws IOException {
    Path file = directory.resolve("perf-" + PROCESS + ".map");
    do {
      Files.writeString(file, "7f1000 20 long a.B.c(long)\n");
    } while (Files.getLastModifiedTime(file).compareTo(FileTime.from(begin)) < 0);
    return file;
  }

  private static OptionalInt owner(Path file) throws IOException {
    return OptionalInt.of((Integer) Files.getAttribute(file, "unix:uid"));
  }

  @Test
  void aRuntimeIsKnownByItsLibrary() {
    FileIdentity identity = new FileIdentity.Inode(1, 2);
    ProcessImage image =
        ProcessImage.empty().with(new FileMapping(0x1000, 0x2000, 0, "/usr/bin/java", identity));
    ProcessImage java =
        image.with(new FileMapping(0x3000, 0x4000, 0, "/usr/lib/server/libjvm.so", identity));
    assertThat(EndedRuntimes.isJava(List.of(image))).isFalse();
    assertThat(EndedRuntimes.isJava(List.of(image, java))).isTrue();
    assertThat(EndedRuntimes.isJava(List.of())).isFalse();
  }

  @Test
  void theMapThatItLeavesHasItsMethods() throws IOException {
    EndedRuntimes runtimes = runtimes();
    Path file = mapSince(Instant.now());
    assertThat(runtimes.at(PROCESS, owner(file), 0x7f1008))
        .contains(new Symbol("long a.B.c(long)", 8));
    assertThat(runtimes.at(PROCESS, owner(file), 0x7f2000)).isEmpty();
    assertThat(missing.sentence()).isEmpty();
  }

  /** The hint leads on: what it says makes the test before. */
  @Test
  void withoutAMapASentenceSaysWhatLeavesOne() {
    assertThat(runtimes().at(PROCESS, OptionalInt.empty(), 0x7f1008)).isEmpty();
    assertThat(missing.sentence())
        .hasValueSatisfying(
            sentence ->
                assertThat(sentence)
                    .contains("Java process " + PROCESS)
                    .contains("-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit"));
  }

  @Test
  void aMapThatWasThereBeforeIsOfAnotherProcess() throws IOException {
    Path file = mapSince(Instant.EPOCH);
    assertThat(runtimes().at(PROCESS, owner(file), 0x7f1008)).isEmpty();
    assertThat(missing.sentence()).isPresent();
  }
}
