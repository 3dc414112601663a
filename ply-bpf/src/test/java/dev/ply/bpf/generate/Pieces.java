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
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** The pieces that programs are put together from: r6 holds the context, r7 to r9 numbers. */
final class Pieces {
  /** The function that programs with calls have. */
  static final Label FUNCTION = new Label("function");

  /** The words of stack that pieces use, the first below the frame pointer. */
  static final int WORDS = 6;

  private static final int VALUE_BYTES = 16;
  private static final int RECORD_BYTES = 24;
  private static final List<Size> SIZES = List.of(Size.B, Size.H, Size.W, Size.DW);

  private final Mistakes mistakes;

  Pieces(Mistakes mistakes) {
    this.mistakes = mistakes;
  }

  /** How programs go wrong. */
  enum Mistakes {
    /** They are right, and whoever knows their input can tell what they do. */
    NONE,
    /** Here and there. */
    SOME
  }

  /** Part of a program; {@code number} makes its labels its own. */
  @FunctionalInterface
  interface Piece {
    List<Instruction> code(int number);
  }

  static Instruction move(int dst, Operand src) {
    return new Alu(Width.W64, AluOp.MOV, new Register(dst), src);
  }

  /** What is right, or now and then what is not, for the verifier to find. */
  private <T> Arbitrary<T> mostly(int often, Arbitrary<T> right, Arbitrary<T> wrong) {
    return mistakes == Mistakes.NONE
        ? right
        : Arbitraries.frequencyOf(Tuple.of(often, right), Tuple.of(1, wrong));
  }

  /** Registers that hold numbers. */
  private Arbitrary<Register> numbers() {
    return mostly(40, Arbitraries.of(0, 7, 8, 9), Arbitraries.integers().between(1, 10))
        .map(Register::new);
  }

  private static Arbitrary<Register> results() {
    return Arbitraries.of(0, 7, 8, 9).map(Register::new);
  }

  /** Returns what conditions compare with. */
  static Arbitrary<Operand> numbersOrConstants() {
    return Arbitraries.oneOf(
        results().map(register -> (Operand) register), Numbers.ints().map(Immediate::new));
  }

  private Arbitrary<Operand> operands() {
    return Arbitraries.oneOf(
        numbers().map(register -> (Operand) register), Numbers.ints().map(Immediate::new));
  }

  /** Returns pieces of all kinds; what cannot be predicted is a mistake. */
  Arbitrary<Piece> simple() {
    Arbitrary<Piece> predictable =
        Arbitraries.frequencyOf(
            Tuple.of(8, one(arithmetic())),
            Tuple.of(4, one(stack())),
            Tuple.of(2, one(context())),
            Tuple.of(2, one(helpers())),
            Tuple.of(3, arrayLookup()),
            Tuple.of(2, hash()),
            Tuple.of(1, record()),
            Tuple.of(1, localCall()));
    return mostly(24, predictable, probeRead());
  }

  private Arbitrary<Piece> one(Arbitrary<? extends Instruction> instructions) {
    return instructions.map(instruction -> number -> List.of(instruction));
  }

  private Arbitrary<Instruction> arithmetic() {
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
            Combinators.combine(
                    widths,
                    Arbitraries.of(operations),
                    results(),
                    operands(),
                    mostly(20, Arbitraries.just(true), Arbitraries.just(false)))
                .as(
                    (width, op, dst, src, isRight) ->
                        new Alu(width, op, dst, isRight ? possible(width, op, src) : src))),
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

  /** Shifts are shorter than what they shift, and nothing is divided by a zero one sees. */
  private static Operand possible(Width width, AluOp op, Operand src) {
    if (!(src instanceof Immediate immediate)) {
      return src;
    }
    return switch (op) {
      case LSH, RSH, ARSH -> new Immediate(immediate.value() & (width == Width.W64 ? 63 : 31));
      case DIV, MOD -> immediate.value() == 0 ? new Immediate(1) : src;
      default -> src;
    };
  }

  /** Mostly aligned and within the first words of the frame. */
  private Arbitrary<Integer> frameOffsets() {
    return mostly(
        20,
        Arbitraries.integers().between(1, WORDS).map(word -> -8 * word),
        Arbitraries.oneOf(
            Arbitraries.integers().between(-48, -1), Arbitraries.of(0, 8, -504, -512, -520)));
  }

  private Arbitrary<Instruction> stack() {
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

  private Arbitrary<Instruction> context() {
    Arbitrary<Integer> offsets =
        mostly(
            20,
            Arbitraries.integers().between(0, 11).map(word -> 8 * word),
            Arbitraries.integers().between(-8, 104));
    return Combinators.combine(Arbitraries.of(Size.DW, Size.DW, Size.W, Size.B), results(), offsets)
        .as((size, dst, offset) -> new Load(size, Extension.ZERO, dst, new Register(6), offset));
  }

  private Arbitrary<Instruction> helpers() {
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

  /** Looks a value up, and if it is there, uses it. */
  private Arbitrary<Piece> arrayLookup() {
    Arbitrary<List<Instruction>> uses =
        valueUses()
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(lists -> lists.stream().flatMap(List::stream).toList());
    return Combinators.combine(
            mostly(20, Arbitraries.integers().between(0, 3), Arbitraries.just(4)), checks(), uses)
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
  private Arbitrary<Boolean> checks() {
    return mostly(15, Arbitraries.just(true), Arbitraries.just(false));
  }

  private Arbitrary<List<Instruction>> valueUses() {
    Arbitrary<Integer> offsets =
        mostly(20, Arbitraries.of(0, 8), Arbitraries.integers().between(-1, VALUE_BYTES));
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
                sizes,
                others,
                mostly(4, Arbitraries.of(7, 8), Arbitraries.of(12, 15, 31)),
                Arbitraries.of(Width.class))
            .as(Pieces::indexed));
  }

  /** Reads at an index that a mask bounds, well or not. */
  private static List<Instruction> indexed(Size size, Register index, int mask, Width width) {
    return List.of(
        new Alu(width, AluOp.AND, index, new Immediate(mask)),
        new Alu(Width.W64, AluOp.ADD, Register.R0, index),
        new Load(size, Extension.ZERO, index, Register.R0, 0));
  }

  /** Stores to, looks up in or deletes from the hash map. */
  private Arbitrary<Piece> hash() {
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

  private Arbitrary<Piece> record() {
    return Combinators.combine(
            mostly(10, Arbitraries.of(0, 8, 16), Arbitraries.just(17)),
            checks(),
            Arbitraries.of(true, false))
        .as(
            (offset, check, submits) ->
                number -> {
                  Label full = new Label("full" + number);
                  Helper end = submits ? Helper.RINGBUF_SUBMIT : Helper.RINGBUF_DISCARD;
                  List<Instruction> code = new ArrayList<>();
                  code.add(map("events"));
                  code.add(move(2, new Immediate(RECORD_BYTES)));
                  code.add(move(3, new Immediate(0)));
                  code.add(new CallHelper(Helper.RINGBUF_RESERVE.number()));
                  code.add(ifZero(full));
                  if (mistakes == Mistakes.NONE) {
                    // What nobody writes is what earlier records left there.
                    for (int word = 0; word < RECORD_BYTES / 8; word++) {
                      code.add(new Store(Size.DW, Register.R0, 8 * word, new Register(7 + word)));
                    }
                  }
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

  private Arbitrary<Piece> probeRead() {
    return Combinators.combine(
            mostly(10, Arbitraries.of(1, 8, 16, 48), Arbitraries.just(49)), results())
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

  private Arbitrary<Piece> localCall() {
    return Combinators.combine(numbers(), operands())
        .as(
            (first, second) ->
                number -> List.of(move(1, first), move(2, second), new CallLocal(FUNCTION)));
  }

  /** Stores r7 to r9 where whoever ran the program can read them. */
  static List<Instruction> leaveNumbers() {
    Label missing = new Label("last");
    List<Instruction> code = new ArrayList<>();
    code.add(new Store(Size.W, Register.R10, -4, new Immediate(3)));
    code.addAll(argument(2, -4));
    code.add(map("array"));
    code.add(new CallHelper(Helper.MAP_LOOKUP_ELEM.number()));
    code.add(ifZero(missing));
    code.add(new Alu(Width.W64, AluOp.XOR, new Register(8), new Register(9)));
    code.add(new Store(Size.DW, Register.R0, 0, new Register(7)));
    code.add(new Store(Size.DW, Register.R0, 8, new Register(8)));
    code.add(new LabelMark(missing));
    code.add(move(0, new Immediate(0)));
    return code;
  }

  private static List<Instruction> argument(int register, int frameOffset) {
    return List.of(
        move(register, Register.R10),
        new Alu(Width.W64, AluOp.ADD, new Register(register), new Immediate(frameOffset)));
  }

  static Instruction map(String name) {
    return new LoadWide(Register.R1, new WideSource.Map(name));
  }

  static Instruction ifZero(Label target) {
    return new Jump(Width.W64, JumpOp.JEQ, Register.R0, new Immediate(0), target);
  }
}
