package dev.ply.kernel.symbolize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.target.UserSymbols.Location;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownFramesTest {
  private final MemoryBudget memory = MemoryBudget.of(1 << 20);
  private final KnownFrames frames = new KnownFrames(memory);

  private static final List<ProcessMemory> SPACES =
      List.of(
          new ProcessMemory() {
            @Override
            public boolean has(long address) {
              return true;
            }

            @Override
            public Frame frame(long address, long instruction) {
              return new Frame(address);
            }

            @Override
            public Object version() {
              return "version";
            }
          });

  private static Frame frame(long address, int length) {
    return new Frame(
        address,
        Optional.of(new Symbol("x".repeat(length), address)),
        Optional.of("a"),
        Location.UNKNOWN,
        Optional.of("/a"));
  }

  private Frame lookUp(int process, long address, int length) {
    return frames.frame(process, SPACES, address, false, () -> frame(address, length));
  }

  @Test
  void aFrameIsLookedUpOnce() {
    Frame first = lookUp(1, 7, 10);
    assertThat(lookUp(1, 7, 20)).isSameAs(first);
    assertThat(frames.all(1, SPACES, List.of(7L))).contains(List.of(first));
  }

  @Test
  void framesTakeASmallPartOfTheMemory() {
    for (int process = 0; process < 100; process++) {
      for (int address = 0; address < 100; address++) {
        assertThat(lookUp(process, address, 1000).address()).isEqualTo(address);
        assertThat(memory.claimed()).isLessThanOrEqualTo(memory.total() / 16);
      }
    }
    // Those of the process used last, of which not all fit either.
    assertThat(frames.all(0, SPACES, List.of(1L))).isEmpty();
    assertThat(frames.all(99, SPACES, List.of(99L))).isPresent();
    frames.clear();
    assertThat(memory.claimed()).isZero();
  }
}
