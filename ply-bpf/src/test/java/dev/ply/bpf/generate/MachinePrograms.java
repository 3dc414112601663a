package dev.ply.bpf.generate;

import static dev.ply.bpf.generate.Piece.move;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Arbitrary programs that a verifier has to think about: they compute, branch, loop, use the stack,
 * maps, the ring buffer, helpers and a function of their own.
 *
 * <p>Only instructions and helpers that Linux 5.10 has.
 */
public final class MachinePrograms {
  /** The maps that programs use. */
  public static final List<BpfMap> MAPS =
      List.of(
          new BpfMap("array", MapType.ARRAY, 4, 16, 4),
          new BpfMap("hash", MapType.HASH, 8, 16, 8),
          new BpfMap("events", MapType.RINGBUF, 0, 0, 4096),
          BpfMap.constants("table", FixedContent.ofTexts("of", "numbers")));

  /** Bytes of context that programs may read. */
  public static final int CONTEXT_BYTES = 96;

  private MachinePrograms() {}

  /**
   * Returns programs of up to that many pieces, a few instructions each, mostly right. Some are
   * refused for good reasons, some for none that one sees at once.
   */
  public static Arbitrary<BpfProgram> programs(int pieces) {
    return programs(pieces, Mistakes.SOME);
  }

  /**
   * Returns programs without mistakes whose effects depend on their context, their maps and the
   * numbers of the thread that runs them alone. They leave r7 to r9 in the last value of the array,
   * and in records that they submit.
   */
  public static Arbitrary<BpfProgram> computations(int pieces) {
    return programs(pieces, Mistakes.NONE);
  }

  private static Arbitrary<BpfProgram> programs(int pieces, Mistakes mistakes) {
    Arbitrary<Piece> simple = Fixed.of(Pieces.simple(mistakes));
    Arbitrary<Piece> nested = Fixed.of(nested(simple));
    Arbitrary<Piece> any = Arbitraries.frequencyOf(Tuple.of(4, simple), Tuple.of(1, nested));
    Arbitrary<Boolean> fills =
        mistakes == Mistakes.NONE
            ? Arbitraries.just(true)
            : Arbitraries.frequency(Tuple.of(4, true), Tuple.of(1, false));
    Arbitrary<BpfProgram> programs =
        Combinators.combine(
                Numbers.ints().list().ofSize(2),
                fills,
                any.list().ofMinSize(1).ofMaxSize(pieces),
                Arbitraries.of(0, 7, 8, 9).map(Register::new))
            .as(
                (numbers, filled, body, result) ->
                    program(numbers, filled, body, result, mistakes));
    return StructuralShrinking.of(programs, SmallerPrograms::of, program -> program.code().size());
  }

  private static BpfProgram program(
      List<Integer> numbers,
      boolean fillsStack,
      List<Piece> pieces,
      Register result,
      Mistakes mistakes) {
    List<Instruction> code = new ArrayList<>();
    code.add(move(6, Register.R1));
    code.add(move(7, new Immediate(numbers.get(0))));
    code.add(move(8, new Immediate(numbers.get(1))));
    code.add(new Load(Size.DW, Extension.ZERO, new Register(9), new Register(6), 8));
    code.add(move(0, new Immediate(0)));
    for (int word = 1; fillsStack && word <= Piece.WORDS; word++) {
      code.add(new Store(Size.DW, Register.R10, -8 * word, new Register(7 + word % 3)));
    }
    for (int i = 0; i < pieces.size(); i++) {
      code.addAll(pieces.get(i).code(i));
    }
    if (mistakes == Mistakes.NONE) {
      code.addAll(MapPieces.leaveNumbers());
    }
    code.add(move(0, result));
    code.add(new Exit());
    if (code.stream().anyMatch(CallLocal.class::isInstance)) {
      code.add(new LabelMark(CallPieces.FUNCTION));
      code.add(move(0, Register.R1));
      code.add(new Alu(Width.W64, AluOp.ADD, Register.R0, Register.R2));
      code.add(new Exit());
    }
    return program(code);
  }

  /** Returns instructions as a program of the kind that can be test-run. */
  static BpfProgram program(List<Instruction> code) {
    return new BpfProgram("generated", ProgramType.RAW_TRACEPOINT, CONTEXT_BYTES, code);
  }

  private static Arbitrary<Piece> nested(Arbitrary<Piece> simple) {
    Arbitrary<List<Piece>> bodies = simple.list().ofMinSize(1).ofMaxSize(3);
    return Arbitraries.oneOf(
        Combinators.combine(
                Arbitraries.of(Width.class),
                Arbitraries.of(JumpOp.class),
                Arbitraries.of(0, 7, 8, 9).map(Register::new),
                Operands.numbersOrConstants(),
                bodies)
            .as(
                (width, op, left, right, body) ->
                    number -> {
                      Label end = new Label("end" + number);
                      List<Instruction> code = new ArrayList<>();
                      code.add(new Jump(width, op, left, right, end));
                      code.addAll(code(body, number));
                      code.add(new LabelMark(end));
                      return code;
                    }),
        Combinators.combine(Arbitraries.integers().between(1, 8), bodies)
            .as((rounds, body) -> number -> loop(rounds, code(body, number), number)));
  }

  /** Counts on the stack, which the body may reach by mistake. */
  private static List<Instruction> loop(int rounds, List<Instruction> body, int number) {
    Label again = new Label("again" + number);
    List<Instruction> code = new ArrayList<>();
    code.add(move(1, new Immediate(rounds)));
    // Before Linux 6.3 a number stored from a register is remembered, and no other.
    code.add(new Store(Size.DW, Register.R10, -56, Register.R1));
    code.add(new LabelMark(again));
    code.addAll(body);
    code.add(new Load(Size.DW, Extension.ZERO, Register.R1, Register.R10, -56));
    code.add(new Alu(Width.W64, AluOp.SUB, Register.R1, new Immediate(1)));
    code.add(new Store(Size.DW, Register.R10, -56, Register.R1));
    code.add(new Jump(Width.W64, JumpOp.JNE, Register.R1, new Immediate(0), again));
    return code;
  }

  private static List<Instruction> code(List<Piece> pieces, int number) {
    List<Instruction> code = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      code.addAll(pieces.get(i).code(1000 * (number + 1) + i));
    }
    return code;
  }
}
