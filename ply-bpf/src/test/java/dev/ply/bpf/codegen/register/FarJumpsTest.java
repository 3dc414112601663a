package dev.ply.bpf.codegen.register;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jumps of long functions reach their labels, and lead where they led. */
class FarJumpsTest {
  @ParameterizedTest
  @ValueSource(ints = {10, 19_990, 25_000, 70_000, 300_000})
  void jumpsReachForwardsAndBackwards(int size) {
    List<Instruction> code = new ArrayList<>();
    Label start = new Label("start");
    Label end = new Label("end");
    code.add(new Instruction.LabelMark(start));
    for (int i = 0; i < size; i++) {
      code.add(new Instruction.Alu(Width.W64, AluOp.MOV, Register.R0, new Immediate(i)));
      if (i % 1000 == 0) {
        code.add(new Instruction.Jump(Width.W64, JumpOp.JEQ, Register.R0, new Immediate(1), end));
        code.add(new Instruction.Jump(Width.W64, JumpOp.JEQ, Register.R0, new Immediate(2), start));
      }
    }
    code.add(new Instruction.LabelMark(end));
    code.add(new Instruction.Exit());
    List<Instruction> near = FarJumps.reach(code);
    Map<Label, Integer> places = new HashMap<>();
    for (int i = 0; i < near.size(); i++) {
      if (near.get(i) instanceof Instruction.LabelMark mark) {
        assertThat(places.put(mark.label(), i)).isNull();
      }
    }
    int jumps = 0;
    for (int i = 0; i < near.size(); i++) {
      if (near.get(i) instanceof Instruction.Jump jump) {
        boolean isForward = jump.right().equals(new Immediate(1));
        assertThat(end(jump.target(), i, near, places)).isEqualTo(isForward ? end : start);
        jumps++;
      }
    }
    assertThat(jumps).isEqualTo(2 * ((size + 999) / 1000));
  }

  /** Follows jumps on the way, each of which must be near. */
  private static Label end(
      Label target, int from, List<Instruction> code, Map<Label, Integer> places) {
    Label label = target;
    int at = from;
    while (true) {
      int place = places.getOrDefault(label, -1);
      assertThat(Math.abs(place - at)).isLessThan(32_000);
      if (!(code.get(place + 1) instanceof Instruction.Goto next)) {
        return label;
      }
      label = next.target();
      at = place + 1;
    }
  }
}
