package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.elf.TestElf;
import dev.ply.kernel.symbolize.CodeFiles;
import dev.ply.kernel.symbolize.SharedCode;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.FileMemory.Kept;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.Resource;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory for symbols: one budget for all traces of a tracer, and each file once. */
class SymbolMemoryTest {
  private static final int FUNCTIONS = 100_000;
  private static final String NAME = "a_function_of_a_large_program_with_a_long_name_";

  private static final String MAIN =
      """
      #include <stdio.h>
      #include <unistd.h>
      extern char %s77[];
      int main(void) { printf("%%lx\\n", (unsigned long) %s77); fflush(stdout); return getchar(); }
      """
          .formatted(NAME, NAME);

  @TempDir private Path directory;

  private Path largeProgram() throws Exception {
    StringBuilder assembly = new StringBuilder(".text\n");
    for (int i = 0; i < FUNCTIONS; i++) {
      String name = NAME + i;
      assembly
          .append(".globl ")
          .append(name)
          .append("\n.type ")
          .append(name)
          .append(",%function\n");
      assembly.append(name).append(": .skip 16\n.size ").append(name).append(",16\n");
    }
    Path functions = directory.resolve("functions.s");
    Path main = directory.resolve("main.c");
    Path program = directory.resolve("large");
    Files.writeString(functions, assembly.append(".section .note.GNU-stack\n"));
    Files.writeString(main, MAIN);
    int status =
        new ProcessBuilder("gcc", "-o", program.toString(), main.toString(), functions.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(status).isZero();
    return program;
  }

  @Test
  void sixTracesOfALargeProcessFitASmallHeap() throws Exception {
    assumeTrue(
        Files.getAttribute(directory, "unix:uid").equals(0),
        "files of other users get less memory");
    List<String> expected = new ArrayList<>(Collections.nCopies(6, NAME + 77));
    Collections.addAll(expected, "true", "0");
    assertThat(shown(SixReaders.class, "80m")).containsExactlyElementsOf(expected);
  }

  @Test
  void aHeapThatIsFullCostsSymbolsAndNothingElse() throws Exception {
    assertThat(shown(FullHeap.class, "32m"))
        .containsExactly(
            "an address",
            "some functions of processes have no names: reading them takes too much memory",
            "true",
            NAME + 77);
  }

  /** Runs a reader of the large program in a process with a small heap. */
  private List<String> shown(Class<?> reader, String heap) throws Exception {
    Process large = new ProcessBuilder(largeProgram().toString()).start();
    try {
      String address = large.inputReader().readLine();
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      if (Runtime.version().feature() >= 22) {
        command.add("--enable-native-access=ALL-UNNAMED");
      }
      Collections.addAll(command, "-Xmx" + heap, "-XX:+UseSerialGC", "-ea");
      Collections.addAll(command, "-cp", System.getProperty("java.class.path"));
      Collections.addAll(command, reader.getName(), Long.toString(large.pid()), address);
      Process readers = new ProcessBuilder(command).redirectErrorStream(true).start();
      String shown = new String(readers.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(readers.waitFor()).as(shown).isZero();
      return shown.lines().toList();
    } finally {
      large.destroyForcibly();
    }
  }

  @Test
  void budgetsOfSeveralTracesAreOne() throws IOException {
    MemoryBudget memory = MemoryBudget.of(100);
    ReadBudget one = ReadBudget.of(Duration.ofSeconds(1), memory);
    ReadBudget other = ReadBudget.of(Duration.ofSeconds(1), memory);
    claim(one, 50);
    claim(other, 50);
    assertThat(claims(other, 1)).isFalse();
    one.releaseAll();
    assertThat(claims(other, 1)).isTrue();
    other.releaseAll();
    assertThat(memory.claimed()).isZero();
  }

  @Test
  void whatIsHandedOverOutlivesItsTrace() throws IOException {
    MemoryBudget memory = MemoryBudget.of(100);
    ReadBudget budget = ReadBudget.of(Duration.ofSeconds(1), memory);
    claim(budget, 10);
    Claim before = budget.claims();
    claim(budget, 20);
    Claim shared = budget.handOver(before);
    budget.releaseAll();
    assertThat(memory.claimed()).isEqualTo(20);
    shared.release();
    assertThat(memory.claimed()).isZero();
  }

  @Test
  void whatWasUsedLongestAgoIsDroppedForOthers() throws IOException {
    MemoryBudget memory = MemoryBudget.of(100);
    FileMemory files = new FileMemory(memory);
    ReadBudget budget = ReadBudget.of(Duration.ofSeconds(1), memory);
    Kept<String> first = files.read(budget, () -> read(budget, "first", 40));
    Kept<String> second = files.read(budget, () -> read(budget, "second", 40));
    assertThat(first.get()).contains("first");
    Kept<String> third = files.read(budget, () -> read(budget, "third", 30));
    assertThat(second.get()).isEmpty();
    assertThat(first.get()).contains("first");
    assertThat(third.get()).contains("third");
    assertThat(memory.claimed()).isEqualTo(70);
    assertThat(budget.exceeded()).isEmpty();
    assertThatThrownBy(() -> files.read(budget, () -> read(budget, "large", 51)))
        .isInstanceOf(BudgetExceededException.class);
    assertThat(first.get()).contains("first");
    files.dropAll();
    assertThat(memory.claimed()).isZero();
  }

  @Test
  void filesOfUsersMakeRoomForThoseOfUsersFirst() throws IOException {
    MemoryBudget memory = MemoryBudget.of(100);
    FileMemory files = new FileMemory(memory);
    ReadBudget budget = ReadBudget.of(Duration.ofSeconds(1), memory);
    Kept<String> ofRoot = files.read(budget, () -> read(budget, "root's", 50));
    Kept<String> others = files.read(budget, () -> readOfUser(budget, "one", 25));
    Kept<String> more = files.read(budget, () -> readOfUser(budget, "two", 25));
    Kept<String> last = files.read(budget, () -> readOfUser(budget, "three", 25));
    assertThat(ofRoot.get()).contains("root's");
    assertThat(others.get()).isEmpty();
    assertThat(more.get()).contains("two");
    assertThat(last.get()).contains("three");
  }

  private static String read(ReadBudget budget, String content, long bytes) throws IOException {
    claim(budget, bytes);
    return content;
  }

  private static String readOfUser(ReadBudget budget, String content, long bytes)
      throws IOException {
    try (Allowance allowance = budget.allowance(false)) {
      allowance.claim(bytes);
    }
    return content;
  }

  /** Each has half a megabyte of names: two fit. */
  @Test
  void symbolsThatWereDroppedAreReadAgain() throws IOException {
    MemoryBudget memory = MemoryBudget.of(1400 << 10);
    ReadBudget budget = ReadBudget.of(Duration.ofSeconds(10), memory);
    SharedCode shared = new SharedCode(new FileMemory(memory));
    CodeFiles files = new CodeFiles(shared, budget);
    List<CodeFiles.Code> read = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      byte[] names =
          ("\0function" + i + "\0" + "x".repeat(1 << 19)).getBytes(StandardCharsets.UTF_8);
      Path path =
          new TestElf(ByteOrder.LITTLE_ENDIAN)
              .symbols(new long[] {TestElf.CODE_ADDRESS}, 16, new int[] {1}, names)
              .write(directory.resolve("library" + i));
      try (UntrustedFile file = UntrustedFile.open(path, Links.FOLLOWED, budget)) {
        read.add(files.read(file, path, Path.of("/")).orElseThrow());
      }
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 6; i++) {
        assertThat(read.get(i).at(TestElf.CODE_OFFSET + 4, 0, budget).orElseThrow().name())
            .isEqualTo("function" + i);
        assertThat(memory.claimed()).isLessThan(memory.total());
      }
    }
    assertThat(budget.exceeded()).isEmpty();
    // A file that has been replaced shows addresses, never the names of the old file.
    Files.writeString(directory.resolve("library0"), "replaced");
    assertThat(read.get(0).at(TestElf.CODE_OFFSET + 4, 0, budget)).isEmpty();
    assertThat(budget.exceeded()).containsExactly(Resource.MEMORY);
    files.close();
    budget.releaseAll();
    assertThat(memory.claimed()).isZero();
  }

  @Test
  void tracersWithoutALimitOfTheirOwnShareTheHeap() {
    MemoryBudget one = MemoryBudget.ofHeap();
    MemoryBudget other = MemoryBudget.ofHeap();
    long half = one.total() / 2;
    Claim first = one.reserve(half).orElseThrow();
    assertThat(other.reserve(half).flatMap(unused -> other.reserve(half))).isEmpty();
    assertThat(first.bytes()).isEqualTo(half);
    other.close();
    one.close();
    assertThat(one.reserve(1)).isEmpty();
    MemoryBudget later = MemoryBudget.ofHeap();
    assertThat(later.reserve(half)).isPresent();
    later.close();
  }

  private static void claim(ReadBudget budget, long bytes) throws IOException {
    try (Allowance allowance = budget.allowance(true)) {
      allowance.claim(bytes);
    }
  }

  private static boolean claims(ReadBudget budget, long bytes) throws IOException {
    try {
      claim(budget, bytes);
      return true;
    } catch (BudgetExceededException e) {
      return false;
    }
  }
}
