package dev.ply.bpf.cfg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.isa.Instruction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LivenessTest {
  private static String after(String code, int index) {
    List<String> found = new ArrayList<>();
    Liveness.of(ControlFlow.of(Assembler.assemble("test", code)))
        .visit((at, needed) -> found.add(0, needed.toString()));
    return found.get(index);
  }

  @Test
  void registerIsLiveUntilItsLastRead() {
    String code = "r2 = 1\nr3 = r2\nr0 = r3\nexit";
    assertThat(after(code, 0)).isEqualTo("{2}");
    assertThat(after(code, 1)).isEqualTo("{3}");
    assertThat(after(code, 2)).isEqualTo("{0}");
    assertThat(after(code, 3)).isEqualTo("{}");
  }

  @Test
  void registersStayLiveAroundALoop() {
    String code = "r0 = 0\nr2 = 9\nagain:\nr0 += r2\nif r0 < 100 goto again\nexit";
    assertThat(after(code, 4)).isEqualTo("{0, 2}");
  }

  @Test
  void callsReadArgumentsAndClobberTheOthers() {
    String code = "r2 = 1\nr5 = 1\ncall bpf_ktime_get_ns\nexit";
    assertThat(after(code, 1)).isEqualTo("{}");
  }

  @Test
  void deadComputationKeepsNothingLive() {
    String code = "r2 = 1\nr3 = r2\nr3 += r2\nr0 = 0\nexit";
    assertThat(after(code, 0)).isEqualTo("{}");
    assertThat(after(code, 2)).isEqualTo("{}");
  }

  @Test
  void codeAfterGotoIsUnreachable() {
    List<Instruction> code = Assembler.assemble("test", "r0 = 0\ngoto out\nr0 = 1\nout:\nexit");
    assertThat(ControlFlow.of(code).reachable()).hasToString("{0, 1, 3, 4}");
  }
}
