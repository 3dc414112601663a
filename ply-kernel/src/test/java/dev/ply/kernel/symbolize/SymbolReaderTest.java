package dev.ply.kernel.symbolize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.target.UserSymbols.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long callers wait for symbols, here those of this process. */
class SymbolReaderTest {
  private static final int STACKS = 30_000;

  private final int process = (int) ProcessHandle.current().pid();

  private static long codeOfTheCLibrary() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains(" r-xp ") && line.matches(".*/libc[.-].*"))
        .map(line -> Long.parseLong(line.substring(0, line.indexOf('-')), 16))
        .findFirst()
        .orElseThrow();
  }

  private static SymbolReader reader() {
    return new SymbolReader(new SharedCode(new FileMemory(MemoryBudget.ofHeap())));
  }

  /** The end of a large profile: each trace is a request, and all together have little time. */
  @Test
  void stackTracesOfKnownFunctionsCostNoTime() throws IOException {
    long code = codeOfTheCLibrary();
    List<Long> stack = List.of(code + 16, code + 64);
    try (SymbolReader reader = reader()) {
      Optional<List<Frame>> first = reader.frames(process, stack);
      assertThat(first).isPresent();
      reader.limitWait(Duration.ofMillis(100));
      for (int i = 0; i < STACKS; i++) {
        assertThat(reader.frames(process, stack)).isEqualTo(first);
      }
      assertThat(reader.shortage()).isEmpty();
    }
  }

  @Test
  void withoutTimeThereAreNoSymbols() throws IOException {
    List<Long> stack = List.of(codeOfTheCLibrary() + 16);
    try (SymbolReader reader = reader()) {
      reader.limitWait(Duration.ZERO);
      assertThat(reader.frames(process, stack)).isEmpty();
      assertThat(reader.shortage()).hasValueSatisfying(text -> assertThat(text).contains("time"));
    }
  }
}
