package dev.ply.bpf.cfg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelOrderTest {
  /** Returns the labels of a program in their order, as far as control reaches them. */
  private static List<String> order(String text) {
    List<Instruction> code = Assembler.assemble("order", text);
    Map<Label, Integer> places = new HashMap<>();
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Instruction.LabelMark mark) {
        places.put(mark.label(), i);
      }
    }
    LabelOrder order = new LabelOrder(code, places.size(), places::get);
    List<String> names = new ArrayList<>();
    for (int rank = 0; rank < places.size(); rank++) {
      if (code.get(order.place(rank)) instanceof Instruction.LabelMark mark
          && order.rank(order.place(rank)) == rank) {
        names.add(mark.label().name());
      }
    }
    return names;
  }

  @Test
  void whatJumpsBackFromTheEndComesFirst() {
    assertThat(
            order(
                """
                r0 = 0
                if r1 == 0x0 goto missing
                found:
                r0 += 1
                exit
                missing:
                r1 = 1
                goto found
                """))
        .containsExactly("missing", "found");
  }

  @Test
  void loopsComeBehindWhatLeadsToThem() {
    assertThat(
            order(
                """
                r0 = 0
                if r1 == 0x7 goto end
                loop:
                r0 += 1
                if r0 < 0x5 goto loop
                end:
                exit
                """))
        .containsExactly("loop", "end");
  }
}
