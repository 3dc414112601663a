package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.generate.Slowest;
import dev.ply.kernel.elf.TestElf;
import dev.ply.kernel.symbolize.SourceFiles;
import dev.ply.kernel.symbolize.SourceFiles.Origin;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.machine.Architecture;
import dev.ply.selector.Glob;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.selector.UserSelector.Function;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserLocation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is damaged in a program or library, all that is asked of it is answered or refused in
 * words. {@code -Dfuzz.inputs=N} files are damaged, 300 if not set, as {@code -Dfuzz.seed=N} says.
 */
@Tag("any-java")
class DamagedBinariesTest {
  private static final int INPUTS = Integer.getInteger("fuzz.inputs", 300);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final long MEMORY = 64 << 20;
  private static final int MOST_CHANGES = 6;

  /** The end of the ELF header. */
  private static final int HEADER = 64;

  /** Numbers that sizes, offsets and counts do not expect. */
  private static final List<Long> NUMBERS =
      List.of(0L, 1L, 7L, 0x7fL, 0x80L, 0xffL, 0xffffL, 0x7fffffffL, 0xffffffffL, -1L, 1L << 63);

  private static final List<String> LIBRARIES =
      List.of(
          "arguments-4",
          "arguments-5",
          "arguments-types-4",
          "arguments-types-5",
          "classes",
          "layouts",
          "optimised",
          "optimised-clang");

  private final Random random = new Random(SEED);

  @TempDir private Path directory;

  @Test
  void allQuestionsHaveAnswersOrReasons() throws IOException {
    List<byte[]> whole = whole();
    Slowest slowest = new Slowest();
    Map<String, Integer> failures = new TreeMap<>();
    for (int i = 0; i < INPUTS; i++) {
      byte[] damaged = damaged(whole.get(i % whole.size()));
      Path file = Files.write(directory.resolve("file"), damaged);
      int number = i;
      slowest.time(
          "file " + i, () -> failure(file).ifPresent(one -> failures.putIfAbsent(one, number)));
    }
    System.out.println(slowest);
    assertThat(failures).as("first files that fail, -Dfuzz.seed=" + SEED).isEmpty();
  }

  private List<byte[]> whole() throws IOException {
    List<byte[]> whole = new ArrayList<>();
    for (String library : LIBRARIES) {
      try (InputStream file =
          DamagedBinariesTest.class.getResourceAsStream("/dwarf/" + library + ".so")) {
        whole.add(Optional.ofNullable(file).orElseThrow().readAllBytes());
      }
    }
    ByteBuffer mark = ByteBuffer.allocate(24 + 32).order(ByteOrder.LITTLE_ENDIAN);
    mark.putLong(TestElf.CODE_ADDRESS).putLong(0).putLong(0);
    mark.put("provider\0mark\0-4@%edi 8@x(%rip)\0".getBytes(StandardCharsets.US_ASCII), 0, 32);
    whole.add(
        Files.readAllBytes(
            new TestElf(ByteOrder.LITTLE_ENDIAN)
                .symbols(
                    2,
                    new TestElf.Function("add", TestElf.CODE_ADDRESS, 16),
                    new TestElf.Function("_ZN1a1bEv", TestElf.CODE_ADDRESS + 16, 16))
                .note(".note.stapsdt", "stapsdt", 3, mark.array())
                .write(directory.resolve("marked"))));
    return whole;
  }

  private byte[] damaged(byte[] whole) {
    byte[] bytes = whole.clone();
    for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
      switch (random.nextInt(6)) {
        case 0 -> bytes[place(bytes)] = (byte) random.nextInt();
        case 1 -> bytes[place(bytes)] ^= (byte) (1 << random.nextInt(8));
        case 2 -> put(bytes, random.nextInt(HEADER));
        case 3 -> put(bytes, place(bytes));
        case 4 -> move(bytes);
        default -> {
          if (random.nextInt(4) == 0) {
            bytes = Arrays.copyOf(bytes, HEADER + random.nextInt(bytes.length));
          }
        }
      }
    }
    return bytes;
  }

  /** The tables of sections and symbols are at the end, and are what is most relied upon. */
  private int place(byte[] bytes) {
    return random.nextBoolean()
        ? random.nextInt(bytes.length)
        : Math.max(0, bytes.length - 1 - random.nextInt(1 << 12));
  }

  private void put(byte[] bytes, int at) {
    long number = NUMBERS.get(random.nextInt(NUMBERS.size()));
    int size = 1 << random.nextInt(4);
    for (int i = 0; i < size && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (number >>> (8 * i));
    }
  }

  private void move(byte[] bytes) {
    int size = Math.min(bytes.length, 1 + random.nextInt(HEADER));
    int from = random.nextInt(bytes.length - size + 1);
    System.arraycopy(bytes, from, bytes, random.nextInt(bytes.length - size + 1), size);
  }

  /** Returns an exception that is no answer, and where it is thrown. */
  private static Optional<String> failure(Path file) {
    try (MemoryBudget budget = MemoryBudget.of(MEMORY)) {
      FileMemory memory = new FileMemory(budget);
      ask(file, new UserBinaries(() -> Architecture.X86_64, OptionalInt.empty(), memory));
      lines(file, memory);
      return Optional.empty();
    } catch (RuntimeException | StackOverflowError | AssertionError | OutOfMemoryError e) {
      return Optional.of(
          e
              + Stream.of(e.getStackTrace())
                  .filter(frame -> frame.getClassName().startsWith("dev.ply."))
                  .limit(3)
                  .toList()
                  .toString());
    }
  }

  private static void ask(Path file, UserBinaries binaries) {
    String name = file.toString();
    List<Function> functions = new ArrayList<>();
    for (String pattern : List.of("*", "*n*")) {
      attempt(
          () ->
              functions.addAll(
                  binaries
                      .select(new UserSelector.Functions(name, new Glob(pattern)))
                      .functions()));
    }
    attempt(() -> binaries.select(new UserSelector.CxxFunctions(name, new Glob("*"))));
    functions.add(new Function(name, "add"));
    for (Function function : functions.stream().distinct().limit(3).toList()) {
      attempt(() -> binaries.several(function));
      attempt(() -> binaries.prototype(function));
      attempt(() -> binaries.result(function));
      attempt(() -> binaries.movesStack(function));
      attempt(() -> binaries.symbol(name, function.name()));
      attempt(() -> binaries.isInstruction(new UserSelector.Inside(function, 3)));
      attempt(
          () -> {
            UserLocation entry = binaries.locate(function).get(0);
            binaries.cheapest(entry);
            binaries.address(name, entry.offset());
          });
    }
    attempt(() -> binaries.declarations(List.copyOf(functions)));
    attempt(() -> binaries.marks(new UsdtSelector.Marks(name, Optional.empty(), new Glob("*"))));
  }

  private static void lines(Path file, FileMemory memory) {
    try {
      ReadBudget reading = ReadBudget.of(Duration.ofSeconds(10), memory.budget());
      SourceFiles sources = new SourceFiles(reading, memory);
      Origin origin = new Origin(FileFacts.of(file), file, file, Path.of("/"));
      for (long address = 0x1000; address < 0x1200; address += 16) {
        sources.line(origin, address);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void attempt(Runnable question) {
    try {
      question.run();
    } catch (UnreadableTargetException | ProbeSiteNotFoundException e) {
      assertThat(e).message().isNotBlank();
    }
  }
}
