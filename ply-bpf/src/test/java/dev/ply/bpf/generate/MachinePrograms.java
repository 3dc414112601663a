package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
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
 * maps, the ring buffer, helpers and a function of their own, mostly as they should. Some are
 * refused for good reasons, some for none that one sees at once.
 *
 * <p>Only instructions and helpers that Linux 5.10 has. r6 holds the context, r7 to r9 numbers.
 */
public final class MachinePrograms {
  /** The maps that programs use. */
  public static final List<BpfMap> MAPS =
      List.of(
          new BpfMap("array", MapType.ARRAY, 4, 16, 4),
          new BpfMap("hash", MapType.HASH, 8, 16, 8),
          new BpfMap("events", MapType.RINGBUF, 0, 0, 4096));

  /** Bytes of context that programs may read. */
  public static final int CONTEXT_BYTES = 96;

  private static final int VALUE_BYTES = 16;
  private static final int RECORD_BYTES = 24;
  private static final Label FUNCTION = new Label("function");
  private static final List<Size> SIZES = List.of(Size.B, Size.H, Size.W, Size.DW);

  private MachinePrograms() {}

  /** Part of a program; {@code number} makes its labels its own. */
  @FunctionalInterface
  private interface Piece {
    List<Instruction> code(int number);
  }

  /** Returns programs of up to that many pieces, a few instructions each. */
  public static Arbitrary<BpfProgram> programs(int pieces) {
    Arbitrary<Piece> simple = Fixed.of(simple());
    Arbitrary<Piece> nested = Fixed.of(nested(simple));
    Arbitrary<Piece> any = Arbitraries.frequencyOf(Tuple.of(4, simple), Tuple.of(1, nested));
    Arbitrary<BpfProgram> programs =
        Combinators.combine(
                Numbers.ints().list().ofSize(2),
                any.list().ofMinSize(1).ofMaxSize(pieces),
                Arbitraries.of(0, 7, 8, 9).map(Register::new))
            .as(MachinePrograms::program);
    return StructuralShrinking.of(programs, SmallerPrograms::of, program -> program.code().size());
  }

  private static BpfProgram program(List<Integer> numbers, List<Piece> pieces, Register result) {
    List<Instruction> code = new ArrayList<>();
    code.add(move(6, Register.R1));
    code.add(move(7, new Immediate(numbers.get(0))));
    code.add(move(8, new Immediate(numbers.get(1))));
    code.add(new Load(Size.DW, Extension.ZERO, new Register(9), new Register(6), 8));
    code.add(move(0, new Immediate(0)));
    for (int i = 0; i < pieces.size(); i++) {
      code.addAll(pieces.get(i).code(i));
    }
    code.add(move(0, result));
    code.add(new Exit());
    if (code.stream().anyMatch(CallLocal.class::isInstance)) {
      code.add(new LabelMark(FUNCTION));
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

  private static Instruction move(int dst, Operand src) {
    return new Alu(Width.W64, AluOp.MOV, new Register(dst), src);
  }

  /** Registers that hold numbers; now and then another one, for the verifier to find. */
  private static Arbitrary<Register> numbers() {
    return Arbitraries.frequencyOf(
            Tuple.of(40, Arbitraries.of(0, 7, 8, 9)),
            Tuple.of(1, Arbitraries.integers().between(1, 10)))
        .map(Register::new);
  }

  private static Arbitrary<Register> results() {
    return Arbitraries.of(0, 7, 8, 9).map(Register::new);
  }

  private static Arbitrary<Operand> operands() {
    return Arbitraries.oneOf(
        numbers().map(register -> (Operand) register), Numbers.ints().map(Immediate::new));
  }

  private static Arbitrary<Piece> simple() {
    return Arbitraries.frequencyOf(
        Tuple.of(8, one(arithmetic())),
        Tuple.of(4, one(stack())),
        Tuple.of(2, one(context())),
        Tuple.of(2, one(helpers())),
        Tuple.of(3, arrayLookup()),
        Tuple.of(2, hash()),
        Tuple.of(1, record()),
        Tuple.of(1, probeRead()),
        Tuple.of(1, localCall()));
  }

  private static Arbitrary<Piece> one(Arbitrary<? extends Instruction> instructions) {
    return instructions.map(instruction -> number -> List.of(instruction));
  }

  private static Arbitrary<Instruction> arithmetic() {
    Arbitrary<Width> widths = Arbitraries.of(Width.class);
    List<AluOp> operations =
        List.of(
            AluOp.ADD,
            AluOp.SUB,
            AluOp.MUL,
            AluOp.DIV,
            AluOp.OR,
            AluOp.AND,
            AluOp.LSH,
            AluOp.RSH,
            AluOp.MOD,
            AluOp.XOR,
            AluOp.MOV,
            AluOp.ARSH);
    return Arbitraries.frequencyOf(
        Tuple.of(
            8,
            Combinators.combine(widths, Arbitraries.of(operations), results(), operands())
                .as(Alu::new)),
        Tuple.of(
            2,
            Combinators.combine(
                    widths,
                    Arbitraries.of(AluOp.LSH, AluOp.RSH, AluOp.ARSH, AluOp.AND),
                    results(),
                    Arbitraries.integers().between(0, 31).map(Immediate::new))
                .as(Alu::new)),
        Tuple.of(1, Combinators.combine(widths, results()).as(Negate::new)),
        Tuple.of(
            1,
            Combinators.combine(
                    Arbitraries.of(ByteSwap.Order.BIG, ByteSwap.Order.LITTLE),
                    Arbitraries.of(16, 32, 64),
                    results())
                .as(ByteSwap::new)));
  }

  /** Mostly aligned and within the first words of the frame. */
  private static Arbitrary<Integer> frameOffsets() {
    return Arbitraries.frequencyOf(
        Tuple.of(20, Arbitraries.integers().between(1, 6).map(word -> -8 * word)),
        Tuple.of(4, Arbitraries.integers().between(-48, -1)),
        Tuple.of(1, Arbitraries.of(0, 8, -504, -512, -520)));
  }

  private static Arbitrary<Instruction> stack() {
    Arbitrary<Size> sizes = Arbitraries.of(Size.DW, Size.DW, Size.W, Size.H, Size.B);
    return Arbitraries.oneOf(
        Combinators.combine(sizes, frameOffsets(), operands())
            .as((size, offset, src) -> new Store(size, Register.R10, offset, src)),
        Combinators.combine(sizes, results(), frameOffsets())
            .as((size, dst, offset) -> new Load(size, Extension.ZERO, dst, Register.R10, offset)),
        Combinators.combine(
                Arbitraries.of(Size.W, Size.DW),
                Arbitraries.of(AtomicOp.class),
                frameOffsets(),
                results())
            .as((size, op, offset, src) -> new Atomic(size, op, Register.R10, offset, src)));
  }

  private static Arbitrary<Instruction> context() {
    Arbitrary<Integer> offsets =
        Arbitraries.frequencyOf(
            Tuple.of(10, Arbitraries.integers().between(0, 11).map(word -> 8 * word)),
            Tuple.of(1, Arbitraries.integers().between(-8, 104)));
    return Combinators.combine(Arbitraries.of(Size.DW, Size.DW, Size.W, Size.B), results(), offsets)
        .as((size, dst, offset) -> new Load(size, Extension.ZERO, dst, new Register(6), offset));
  }

  private static Arbitrary<Instruction> helpers() {
    return Arbitraries.of(
            Helper.KTIME_GET_NS,
            Helper.GET_PRANDOM_U32,
            Helper.GET_SMP_PROCESSOR_ID,
            Helper.GET_CURRENT_PID_TGID,
            Helper.GET_CURRENT_UID_GID)
        .map(helper -> new CallHelper(helper.number()));
  }

  /** Looks a value up, and if it is there, uses it. */
  private static Arbitrary<Piece> arrayLookup() {
    Arbitrary<List<Instruction>> uses =
        valueUses()
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(lists -> lists.stream().flatMap(List::stream).toList());
    return Combinators.combine(Arbitraries.integers().between(0, 4), checks(), uses)
        .as(
            (key, check, use) ->
                number -> {
                  List<Instruction> code = new ArrayList<>();
                  code.add(new Store(Size.W, Register.R10, -4, new Immediate(key)));
                  code.addAll(argument(2, -4));
                  code.add(map("array"));
                  code.add(new CallHelper(Helper.MAP_LOOKUP_ELEM.number()));
                  Label missing = new Label("missing" + number);
                  if (check) {
                    code.add(ifZero(missing));
                  }
                  code.addAll(use);
                  code.add(new LabelMark(missing));
                  code.add(move(0, new Immediate(0)));
                  return code;
                });
  }

  /** Now and then nobody checks. */
  private static Arbitrary<Boolean> checks() {
    return Arbitraries.frequency(Tuple.of(15, true), Tuple.of(1, false));
  }

  private static Arbitrary<List<Instruction>> valueUses() {
    Arbitrary<Integer> offsets =
        Arbitraries.frequencyOf(
            Tuple.of(10, Arbitraries.of(0, 8)),
            Tuple.of(1, Arbitraries.integers().between(-1, VALUE_BYTES)));
    Arbitrary<Size> sizes = Arbitraries.of(SIZES);
    Arbitrary<Register> others = Arbitraries.of(7, 8, 9).map(Register::new);
    return Arbitraries.oneOf(
        Combinators.combine(sizes, others, offsets)
            .as((size, dst, at) -> List.of(new Load(size, Extension.ZERO, dst, Register.R0, at))),
        Combinators.combine(sizes, offsets, others)
            .as((size, at, src) -> List.of(new Store(size, Register.R0, at, src))),
        Combinators.combine(
                Arbitraries.of(Size.W, Size.DW), Arbitraries.of(AtomicOp.class), offsets, others)
            .as((size, op, at, src) -> List.of(new Atomic(size, op, Register.R0, at, src))),
        Combinators.combine(
                sizes, others, Arbitraries.of(7, 15, 15, 8, 12, 31), Arbitraries.of(Width.class))
            .as(MachinePrograms::indexed));
  }

  /** Reads at an index that a mask bounds, well or not. */
  private static List<Instruction> indexed(Size size, Register index, int mask, Width width) {
    return List.of(
        new Alu(width, AluOp.AND, index, new Immediate(mask)),
        new Alu(Width.W64, AluOp.ADD, Register.R0, index),
        new Load(size, Extension.ZERO, index, Register.R0, 0));
  }

  /** Stores to, looks up in or deletes from the hash map. */
  private static Arbitrary<Piece> hash() {
    return Combinators.combine(results(), Arbitraries.integers().between(0, 3), checks())
        .as(
            (key, flags, check) ->
                number -> {
                  List<Instruction> code = new ArrayList<>();
                  code.add(new Store(Size.DW, Register.R10, -16, key));
                  code.add(new Store(Size.DW, Register.R10, -32, new Immediate(flags)));
                  if (check) {
                    code.add(new Store(Size.DW, Register.R10, -24, new Immediate(-1)));
                  }
                  code.addAll(argument(2, -16));
                  if (flags < 3) {
                    code.addAll(argument(3, -32));
                    code.add(move(4, new Immediate(flags)));
                  }
                  code.add(map("hash"));
                  Helper helper = flags < 3 ? Helper.MAP_UPDATE_ELEM : Helper.MAP_DELETE_ELEM;
                  code.add(new CallHelper(helper.number()));
                  return code;
                });
  }

  private static Arbitrary<Piece> record() {
    return Combinators.combine(
            Arbitraries.of(0, 8, 16, 16, 17), results(), checks(), Arbitraries.of(true, false))
        .as(
            (offset, value, check, submits) ->
                number -> {
                  Label full = new Label("full" + number);
                  Helper end = submits ? Helper.RINGBUF_SUBMIT : Helper.RINGBUF_DISCARD;
                  List<Instruction> code = new ArrayList<>();
                  code.add(map("events"));
                  code.add(move(2, new Immediate(RECORD_BYTES)));
                  code.add(move(3, new Immediate(0)));
                  code.add(new CallHelper(Helper.RINGBUF_RESERVE.number()));
                  code.add(ifZero(full));
                  code.add(new Store(Size.DW, Register.R0, offset, new Immediate(1)));
                  code.add(move(1, Register.R0));
                  code.add(move(2, new Immediate(0)));
                  if (check) {
                    code.add(new CallHelper(end.number()));
                  }
                  code.add(new LabelMark(full));
                  code.add(move(0, new Immediate(0)));
                  return code;
                });
  }

  private static Arbitrary<Piece> probeRead() {
    return Combinators.combine(Arbitraries.of(1, 8, 16, 48, 49), results())
        .as(
            (size, address) ->
                number -> {
                  List<Instruction> code = new ArrayList<>(argument(1, -48));
                  code.add(move(2, new Immediate(size)));
                  code.add(move(3, address));
                  code.add(new CallHelper(Helper.PROBE_READ_USER.number()));
                  return code;
                });
  }

  private static Arbitrary<Piece> localCall() {
    return Combinators.combine(numbers(), operands())
        .as(
            (first, second) ->
                number -> List.of(move(1, first), move(2, second), new CallLocal(FUNCTION)));
  }

  private static Arbitrary<Piece> nested(Arbitrary<Piece> simple) {
    Arbitrary<List<Piece>> bodies = simple.list().ofMinSize(1).ofMaxSize(3);
    return Arbitraries.oneOf(
        Combinators.combine(
                Arbitraries.of(Width.class),
                Arbitraries.of(JumpOp.class),
                numbers(),
                operands(),
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

  /** Counts on the stack, where the body may well destroy the count. */
  private static List<Instruction> loop(int rounds, List<Instruction> body, int number) {
    Label again = new Label("again" + number);
    List<Instruction> code = new ArrayList<>();
    code.add(new Store(Size.DW, Register.R10, -56, new Immediate(rounds)));
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

  private static List<Instruction> argument(int register, int frameOffset) {
    return List.of(
        move(register, Register.R10),
        new Alu(Width.W64, AluOp.ADD, new Register(register), new Immediate(frameOffset)));
  }

  private static Instruction map(String name) {
    return new LoadWide(Register.R1, new WideSource.Map(name));
  }

  private static Instruction ifZero(Label target) {
    return new Jump(Width.W64, JumpOp.JEQ, Register.R0, new Immediate(0), target);
  }
}
