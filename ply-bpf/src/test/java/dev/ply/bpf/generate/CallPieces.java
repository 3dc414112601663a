package dev.ply.bpf.generate;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Calls of helpers, of those that hand out records too, and of a function of the program. */
final class CallPieces {
  /** The function that programs with calls have. */
  static final Label FUNCTION = new Label("function");

  private static final int RECORD_BYTES = 24;

  private final Mistakes mistakes;
  private final Operands operands;

  CallPieces(Mistakes mistakes) {
    this.mistakes = mistakes;
    this.operands = new Operands(mistakes);
  }

  Arbitrary<Instruction> helpers() {
    Arbitrary<Helper> helpers =
        mistakes == Mistakes.NONE
            ? Arbitraries.of(Helper.GET_CURRENT_PID_TGID, Helper.GET_CURRENT_UID_GID)
            : Arbitraries.of(
                Helper.KTIME_GET_NS,
                Helper.GET_PRANDOM_U32,
                Helper.GET_SMP_PROCESSOR_ID,
                Helper.GET_CURRENT_PID_TGID,
                Helper.GET_CURRENT_UID_GID);
    return helpers.map(helper -> new CallHelper(helper.number()));
  }

  Arbitrary<Piece> record() {
    return Combinators.combine(
            mistakes.mostly(10, Arbitraries.of(0, 8, 16), Arbitraries.just(17)),
            mistakes.checks(),
            Arbitraries.of(true, false))
        .as(
            (offset, check, submits) ->
                number -> {
                  Label full = new Label("full" + number);
                  Helper end = submits ? Helper.RINGBUF_SUBMIT : Helper.RINGBUF_DISCARD;
                  List<Instruction> code = new ArrayList<>();
                  code.add(Piece.map("events"));
                  code.add(Piece.move(2, new Immediate(RECORD_BYTES)));
                  code.add(Piece.move(3, new Immediate(0)));
                  code.add(new CallHelper(Helper.RINGBUF_RESERVE.number()));
                  code.add(Piece.ifZero(full));
                  if (mistakes == Mistakes.NONE) {
                    // What nobody writes is what earlier records left there.
                    for (int word = 0; word < RECORD_BYTES / 8; word++) {
                      code.add(new Store(Size.DW, Register.R0, 8 * word, new Register(7 + word)));
                    }
                  }
                  code.add(new Store(Size.DW, Register.R0, offset, new Immediate(1)));
                  code.add(Piece.move(1, Register.R0));
                  code.add(Piece.move(2, new Immediate(0)));
                  if (check) {
                    code.add(new CallHelper(end.number()));
                  }
                  code.add(new LabelMark(full));
                  code.add(Piece.move(0, new Immediate(0)));
                  return code;
                });
  }

  Arbitrary<Piece> probeRead() {
    return Combinators.combine(
            mistakes.mostly(10, Arbitraries.of(1, 8, 16, 48), Arbitraries.just(49)),
            Operands.results())
        .as(
            (size, address) ->
                number -> {
                  List<Instruction> code = new ArrayList<>(Piece.argument(1, -48));
                  code.add(Piece.move(2, new Immediate(size)));
                  code.add(Piece.move(3, address));
                  code.add(new CallHelper(Helper.PROBE_READ_USER.number()));
                  return code;
                });
  }

  Arbitrary<Piece> localCall() {
    return Combinators.combine(operands.numbers(), operands.operands())
        .as(
            (first, second) ->
                number ->
                    List.of(Piece.move(1, first), Piece.move(2, second), new CallLocal(FUNCTION)));
  }
}
