package dev.ply.kernel.unwind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.LoadedSection;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.ReadBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is damaged in call frame information, a table of it is sorted and no larger than the
 * information, or refused. {@code -Dfuzz.frames=N} sections are damaged, 10,000 if not set, as
 * {@code -Dfuzz.seed=N} says.
 */
@Tag("any-java")
class DamagedFramesTest {
  private static final int INPUTS = Integer.getInteger("fuzz.frames", 3_000);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final long MEMORY = 1 << 20;
  private static final int MOST_CHANGES = 8;

  /** Opcodes with operands, and bytes that sizes and LEB128 numbers do not expect. */
  private static final int[] BYTES = {0, 1, 0x0a, 0x0b, 0x0f, 0x10, 0x16, 0x7f, 0x80, 0xff};

  private final Random random = new Random(SEED);

  @TempDir private Path directory;

  private LoadedSection section(String library) throws IOException {
    Path path = directory.resolve(library);
    try (InputStream content =
        DamagedFramesTest.class.getResourceAsStream("/dwarf/" + library + ".so")) {
      Files.write(path, Optional.ofNullable(content).orElseThrow().readAllBytes());
    }
    try (ElfFile file = ElfFile.open(path, ReadBudget.of(Duration.ofSeconds(10)))) {
      return LoadedSection.read(file, ".eh_frame").orElseThrow();
    }
  }

  private static UnwindSections.Read build(ByteBuffer bytes, long address, FrameMachine machine)
      throws IOException {
    ReadBudget budget = ReadBudget.of(Duration.ofSeconds(60), MEMORY);
    try (Allowance allowance = budget.allowance(false)) {
      List<FrameSection> sections = new ArrayList<>();
      for (boolean isDebug : List.of(false, true)) {
        sections.add(
            FrameSection.read(new LoadedSection(address, bytes), isDebug, machine, allowance));
      }
      return new TableBuilder(machine, sections, 0x1000, allowance).build();
    }
  }

  private byte[] damaged(byte[] whole) {
    byte[] bytes = whole.clone();
    for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = (byte) BYTES[random.nextInt(BYTES.length)];
        case 3 -> {
          int size = 1 + random.nextInt(Math.min(40, bytes.length - at));
          System.arraycopy(bytes, at, bytes, random.nextInt(bytes.length - size + 1), size);
        }
        default -> {
          if (random.nextInt(4) == 0) {
            bytes = Arrays.copyOf(bytes, 1 + at);
          }
        }
      }
    }
    return bytes;
  }

  @Test
  void tablesOfDamagedSectionsAreSortedAndNoLarger() throws IOException {
    List<LoadedSection> whole =
        List.of(section("optimised"), section("classes"), section("arguments-5"));
    int read = 0;
    for (int i = 0; i < INPUTS; i++) {
      LoadedSection section = whole.get(i % whole.size());
      byte[] bytes = damaged(section.bytes().array());
      FrameMachine machine = random.nextInt(4) == 0 ? FrameMachine.AARCH64 : FrameMachine.X86_64;
      try {
        ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        UnwindTable table = build(content, section.address(), machine).table();
        assertThat(table.size()).isLessThanOrEqualTo(2 * bytes.length);
        assertThat(isSorted(table)).as("rows of input %d are sorted", i).isTrue();
        read += table.size() > 0 ? 1 : 0;
      } catch (IOException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
    assertThat(read).as("sections with rows").isGreaterThan(INPUTS / 3);
  }

  private static boolean isSorted(UnwindTable table) {
    return IntStream.range(1, table.size())
        .allMatch(row -> table.row(row) >>> Integer.SIZE > table.row(row - 1) >>> Integer.SIZE);
  }

  /** Each function names a common entry of its own, whose instructions are the whole section. */
  @Test
  void commonEntriesThatOverlapAreNotReadForEachFunction() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 19).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(1 << 18).putInt(0).put(new byte[] {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b});
    bytes.position((1 << 18) + Integer.BYTES);
    while (bytes.remaining() >= 64) {
      bytes.putInt(20).putInt(bytes.position() - random.nextInt(1 << 18)).put(new byte[16]);
    }
    UnwindSections.Read read = build(bytes.rewind(), 0x1000, FrameMachine.X86_64);
    assertThat(read.damaged()).isGreaterThan(10_000);
  }

  @Test
  void memoryIsThatOfTheBudget() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 21).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(16).putInt(0).put(new byte[] {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0});
    int start = 0;
    while (bytes.remaining() >= 64) {
      int common = bytes.position() + Integer.BYTES;
      bytes.putInt(16).putInt(common).putInt(start++ * 2 - common - Integer.BYTES);
      bytes.putInt(1 << 20).putInt(0);
    }
    assertThat(catchThrowable(() -> build(bytes.rewind(), 0x1000, FrameMachine.X86_64)))
        .isInstanceOf(BudgetExceededException.class);
  }
}
