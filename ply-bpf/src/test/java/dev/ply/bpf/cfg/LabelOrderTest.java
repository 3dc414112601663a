package dev.ply.bpf.cfg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.isa.Instruction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabelOrderTest {
  private static final String OUT_OF_LINE =
      """
      r0 = 0
      if r1 == 0x0 goto missing
      found:
      r0 += 1
      exit
      missing:
      r1 = 1
      goto found
      """;

  private static final String LOOP =
      """
      r0 = 0
      if r1 == 0x7 goto end
      loop:
      r0 += 1
      if r0 < 0x5 goto loop
      end:
      exit
      """;

  private static LabelOrder order(List<Instruction> code) {
    return new LabelOrder(ControlFlow.of(code));
  }

  /** Returns the reachable labels of a program in reverse postorder. */
  private static List<String> order(String text) {
    List<Instruction> code = Assembler.assemble("order", text);
    LabelOrder order = order(code);
    List<String> names = new ArrayList<>();
    for (int rank = order.first(); rank < order.end(); rank++) {
      if (code.get(order.index(rank)) instanceof Instruction.LabelMark mark) {
        assertThat(order.rank(order.index(rank))).isEqualTo(rank);
        names.add(mark.label().name());
      }
    }
    return names;
  }

  @Test
  void outOfLineBlockComesBeforeItsSuccessor() {
    assertThat(order(OUT_OF_LINE)).containsExactly("missing", "found");
  }

  @Test
  void loopHeadComesAfterItsPredecessor() {
    assertThat(order(LOOP)).containsExactly("loop", "end");
  }

  @Test
  void onlyReachableBackEdgesAreLoops() {
    assertThat(order(Assembler.assemble("order", OUT_OF_LINE)).hasLoops()).isFalse();
    assertThat(order(Assembler.assemble("order", LOOP)).hasLoops()).isTrue();
    String unreached = "r0 = 0\ngoto end\nagain:\ngoto again\nend:\nexit";
    assertThat(order(Assembler.assemble("order", unreached)).hasLoops()).isFalse();
    assertThat(order(unreached)).containsExactly("end");
  }

  @Test
  void loopEnteredInTheMiddle() {
    String loop = "r0 = 0\ngoto body\nhead:\nr0 += 1\nbody:\nif r0 < 9 goto head\nexit";
    assertThat(order(Assembler.assemble("order", loop)).hasLoops()).isTrue();
    assertThat(order(loop)).containsExactly("body", "head");
  }
}
