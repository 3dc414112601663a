package dev.ply.kernel.unwind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.unwind.MappedCode;
import dev.ply.bpf.unwind.UnwindEnd;
import dev.ply.bpf.unwind.Unwinder;
import dev.ply.bpf.unwind.UnwoundStack;
import dev.ply.bpf.unwind.UserRegisters;
import dev.ply.machine.Architecture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stack that has more frames than there is room for says so. */
@Tag("any-java")
class DeepestStackTest {
  private static final long CODE = 0x400000;
  private static final long STACK = 0x7fff0000;
  private static final int FRAME = 16;

  @ParameterizedTest
  @ValueSource(ints = {1, 126, 127, 128, 500})
  void theLastFrameIsAMarkerIfThereAreMore(int frames) {
    Map<Long, Long> words = new HashMap<>();
    List<Long> addresses = new ArrayList<>(List.of(CODE));
    for (int i = 1; i <= frames; i++) {
      long fp = STACK + (long) i * FRAME;
      words.put(fp - FRAME, fp);
      words.put(fp - FRAME + Long.BYTES, i < frames ? CODE + i : 0);
      addresses.add(CODE + i);
    }
    MappedCode code = new MappedCode(CODE, CODE + 0x1000, 0, Optional.empty());
    RecordedStack recorded =
        new RecordedStack(
            new UserRegisters(CODE, STACK, STACK, 0), List.of(), List.of(code), words);
    UnwoundStack stack =
        Unwinder.unwind(
            Architecture.X86_64,
            recorded.registers(),
            recorded.mappings(),
            recorded,
            Unwinder.MOST_FRAMES);
    List<Long> expected =
        new ArrayList<>(addresses.subList(0, Math.min(frames, Unwinder.MOST_FRAMES)));
    if (frames > Unwinder.MOST_FRAMES) {
      expected.set(Unwinder.MOST_FRAMES - 1, UnwindEnd.FULL.marker());
    }
    assertThat(stack.recorded()).isEqualTo(expected);
    assertThat(UnwindProgram.run(recorded, Architecture.X86_64)).isEqualTo(expected);
  }
}
