package dev.ply.kernel.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.bpf.unwind.HotSpotCode;
import dev.ply.bpf.unwind.InterpretedMethod;
import dev.ply.bpf.unwind.MappedCode;
import dev.ply.kernel.hotspot.HotSpotMemory;
import dev.ply.kernel.hotspot.HotSpotTables;
import dev.ply.kernel.hotspot.JavaFrames;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.target.UserSymbols.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A Java runtime whose memory is not what a runtime writes. It is this one's, in which a part of
 * the words have other values: none, those of other words, sizes, and addresses close to right
 * ones.
 */
class LyingRuntimeTest {
  private static final int MOST_READS = 1 << 16;
  private static final int MOST_BYTES = 1 << 22;
  private static final int MOST_FRAMES = 256;

  /** Longer than three names, each of 1 kB. */
  private static final int LONGEST_NAME = 1 << 12;

  private static final int ADDRESSES = 8;
  private static final int MOST_KEPT = 1_000;
  private static final int MOST_LOOKS = 1_000;
  private static final int MOST_WORDS = 60;

  private static Optional<Truth> truth = Optional.empty();

  private final int self = (int) ProcessHandle.current().pid();

  /** Memory whose words depend on the seed and their address only. */
  private static final class Lies implements HotSpotMemory.Source {
    private final FileChannel memory;
    private final long seed;
    private final int oneIn;
    private final List<Long> read = new ArrayList<>(List.of(0L));
    private int reads;
    private int bytes;

    /**
     * Opens this process's memory.
     *
     * @param oneIn of how many words one is a lie; 0 for none
     */
    Lies(long seed, int oneIn) throws IOException {
      this.memory = FileChannel.open(Path.of("/proc/self/mem"), StandardOpenOption.READ);
      this.seed = seed;
      this.oneIn = oneIn;
    }

    @Override
    public int read(ByteBuffer into, long address) throws IOException {
      reads++;
      bytes += into.remaining();
      int count = memory.read(into, address);
      for (int at = (int) (-address & 7); at + Long.BYTES <= count; at += Long.BYTES) {
        long mixed = mixed(seed ^ mixed(address + at));
        if (oneIn > 0 && mixed % oneIn == 0) {
          into.putLong(at, lie(into.getLong(at), new Random(mixed)));
        } else if (read.size() < MOST_KEPT) {
          read.add(into.getLong(at));
        }
      }
      return count;
    }

    /** The finalizer of MurmurHash3. */
    private static long mixed(long number) {
      long half = (number ^ number >>> 33) * 0xff51afd7ed558ccdL;
      half = (half ^ half >>> 33) * 0xc4ceb9fe1a85ec53L;
      return half ^ half >>> 33;
    }

    private long lie(long truth, Random random) {
      return switch (random.nextInt(8)) {
        case 0 -> 0;
        case 1 -> -1;
        case 2 -> random.nextInt();
        case 3 -> random.nextLong();
        case 4 -> truth ^ 1L << random.nextInt(Long.SIZE);
        case 5 -> truth + 8L * (random.nextInt(64) - 32);
        case 6 -> 1L << random.nextInt(24);
        default -> read.get(random.nextInt(read.size()));
      };
    }

    @Override
    public void close() throws IOException {
      memory.close();
    }
  }

  private <T> Optional<T> read(Lies lies, HotSpotTables.Reading<T> reading) throws IOException {
    ReadBudget budget = ReadBudget.of(Duration.ofSeconds(60));
    Optional<ProcessMaps> maps;
    try (Allowance allowance = budget.allowance(true)) {
      maps = ProcessMaps.of(self, allowance);
    }
    Optional<Mapping> library =
        maps.flatMap(
            all ->
                all.codeFiles().stream()
                    .filter(mapping -> mapping.name().endsWith("/libjvm.so"))
                    .findFirst());
    assumeThat(library).as("libjvm.so").isPresent();
    return HotSpotTables.read(
        maps.orElseThrow(), library.orElseThrow(), HotSpotMemory.of(lies), budget, reading);
  }

  private static void assertBounded(Lies lies) {
    assertThat(lies.reads).isLessThanOrEqualTo(MOST_READS);
    assertThat(lies.bytes).isLessThanOrEqualTo(MOST_BYTES);
  }

  /** What there is in truth, for which the limits have room. */
  private record Truth(List<Long> words) {}

  private Truth truth() throws IOException {
    if (truth.isEmpty()) {
      truth = Optional.of(readTruth());
    }
    return truth.get();
  }

  /** Finds addresses of compiled code, and methods: what is like them among the words of others. */
  private Truth readTruth() throws IOException {
    List<MappedCode> heaps;
    try (Lies honest = new Lies(0, 0)) {
      heaps = read(honest, HotSpotHeaps::heaps).orElse(List.of());
      assertThat(honest.reads).isLessThan(MOST_READS / 2);
      assertThat(honest.bytes).isLessThan(MOST_BYTES / 2);
    }
    assumeThat(heaps).as("heaps").isNotEmpty();
    JavaFrames frames;
    try (Lies honest = new Lies(0, 0)) {
      frames = read(honest, JavaFrames::of).orElseThrow();
    }
    Random random = new Random(1);
    List<Long> words = new ArrayList<>();
    Set<Long> methods = new HashSet<>();
    for (int i = 0; i < MOST_LOOKS && words.size() < MOST_WORDS; i++) {
      MappedCode heap = heaps.get(random.nextInt(heaps.size()));
      long used = Math.min(heap.end() - heap.start(), 1 << 20);
      long word = heap.start() + (long) (used * random.nextDouble());
      List<Long> read = new ArrayList<>();
      if (isFound(frames, word, read)) {
        words.add(word);
        read.stream()
            .filter(address -> address > 1 << 16 && address >>> 47 == 0 && methods.add(address))
            .limit(20)
            .map(address -> new InterpretedMethod(address, OptionalInt.of(3)).word())
            .filter(method -> isFound(frames, method, new ArrayList<>()))
            .forEach(words::add);
      }
    }
    return new Truth(words);
  }

  private static boolean isFound(JavaFrames frames, long word, List<Long> read) {
    try (Lies honest = new Lies(0, 0);
        HotSpotMemory memory = HotSpotMemory.of(honest)) {
      boolean isFound = !frames.find(memory, word, true).isEmpty();
      read.addAll(honest.read);
      return isFound;
    } catch (IOException e) {
      return false;
    }
  }

  @Property(tries = 20)
  void lyingTablesHaveFewHeapsOrNone(@ForAll long seed) throws IOException {
    try (Lies lies = new Lies(seed, rate(seed))) {
      for (MappedCode heap : read(lies, HotSpotHeaps::heaps).orElse(List.of())) {
        assertThat(heap.end() - heap.start()).isBetween(1L, 1L << 32);
        assertThat(heap.rules()).containsInstanceOf(HotSpotCode.class);
      }
      assertBounded(lies);
    }
  }

  /** One in few is hardly ever a runtime; of one in many, lies are deep inside. */
  private static int rate(long seed) {
    return 1 << (4 + Math.floorMod(seed, 11));
  }

  @Property(tries = 20)
  void lyingCodeHasFewFramesOrNone(@ForAll long seed) throws IOException {
    List<Long> words = truth().words();
    Optional<JavaFrames> frames;
    try (Lies lies = new Lies(seed, Math.floorMod(seed, 3) == 0 ? rate(seed) << 4 : 0)) {
      frames = read(lies, JavaFrames::of);
      assertBounded(lies);
    }
    Random random = new Random(seed);
    for (int i = 0; i < ADDRESSES && frames.isPresent(); i++) {
      find(frames.get(), words.get(random.nextInt(words.size())), seed + i);
    }
  }

  private static void find(JavaFrames frames, long word, long seed) throws IOException {
    if (!frames.has(word)) {
      return;
    }
    try (Lies lies = new Lies(seed, rate(seed));
        HotSpotMemory memory = HotSpotMemory.of(lies)) {
      List<Frame> found = frames.find(memory, word, true);
      assertThat(found).hasSizeBetween(1, MOST_FRAMES);
      assertThat(found)
          .allSatisfy(
              frame ->
                  assertThat(frame.symbol().map(symbol -> symbol.name().length()).orElse(0))
                      .isLessThan(LONGEST_NAME));
      assertBounded(lies);
    } catch (IOException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
