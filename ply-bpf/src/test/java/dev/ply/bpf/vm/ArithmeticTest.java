package dev.ply.bpf.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.vm.helper.Task;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares arithmetic and jumps with BigInteger. */
class ArithmeticTest {
  private static final BigInteger TWO = BigInteger.TWO;
  private static final Label TAKEN = new Label("taken");
  private static final int NOT_TAKEN = 0;

  // For all tries, so that a program is linked once.
  private static final Map<Engine, VirtualMachine> MACHINES = new EnumMap<>(Engine.class);
  private static final Map<Instruction, BpfProgram> PROGRAMS = new HashMap<>();

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  @Property(tries = 5_000)
  void arithmeticAgreesWithBigInteger(
      @ForAll Width width,
      @ForAll AluOp op,
      @ForAll("longs") long left,
      @ForAll("longs") long right) {
    assertThat(compute(width, op, left, Register.R2, right))
        .isEqualTo(reference(width, op, left, right));
  }

  @Property(tries = 5_000)
  void immediatesAreSignExtended(
      @ForAll Width width,
      @ForAll AluOp op,
      @ForAll("longs") long left,
      @ForAll("ints") int right) {
    assertThat(compute(width, op, left, new Immediate(right), 0))
        .isEqualTo(reference(width, op, left, right));
  }

  @Property(tries = 5_000)
  void jumpsAgreeWithBigInteger(
      @ForAll Width width,
      @ForAll JumpOp op,
      @ForAll("longs") long left,
      @ForAll("longs") long right) {
    assertThat(jumps(width, op, left, Register.R2, right))
        .isEqualTo(referenceJump(width, op, left, right));
    assertThat(jumps(width, op, left, Register.R2, left))
        .isEqualTo(referenceJump(width, op, left, left));
  }

  @Property(tries = 2_000)
  void jumpsSignExtendImmediates(
      @ForAll Width width,
      @ForAll JumpOp op,
      @ForAll("longs") long left,
      @ForAll("ints") int right) {
    assertThat(jumps(width, op, left, new Immediate(right), 0))
        .isEqualTo(referenceJump(width, op, left, right));
  }

  @Property
  void negationAndSignExtensionAgreeWithBigInteger(
      @ForAll Width width, @ForAll("longs") long value) {
    assertThat(unary(new Instruction.Negate(width, Register.R0), value))
        .isEqualTo(cut(width, big(width, value).negate()));
    for (Size size : List.of(Size.B, Size.H, Size.W)) {
      Instruction extend = new Instruction.SignExtend(width, size, Register.R0, Register.R0);
      BigInteger expected = signed(8 * size.bytes(), BigInteger.valueOf(value));
      assertThat(unary(extend, value)).isEqualTo(cut(width, expected));
    }
  }

  @Property
  void byteSwapReversesLowBytesAndClearsTheOthers(@ForAll("longs") long value) {
    for (int bits : new int[] {16, 32, 64}) {
      long lower = value << (64 - bits) >>> (64 - bits);
      long reversed = 0;
      for (int i = 0; i < bits; i += 8) {
        reversed |= (lower >>> i & 0xff) << (bits - 8 - i);
      }
      assertThat(swap(Instruction.ByteSwap.Order.SWAPPED, bits, value)).isEqualTo(reversed);
      assertThat(swap(Instruction.ByteSwap.Order.BIG, bits, value)).isEqualTo(reversed);
      assertThat(swap(Instruction.ByteSwap.Order.LITTLE, bits, value)).isEqualTo(lower);
    }
  }

  @Provide
  Arbitrary<Long> longs() {
    Arbitrary<Long> edges =
        Arbitraries.of(
            0L,
            1L,
            2L,
            31L,
            32L,
            63L,
            64L,
            -1L,
            0x7fffffffL,
            0x80000000L,
            0xffffffffL,
            0x1_0000_0000L,
            -0x80000000L,
            -0x80000001L,
            Long.MIN_VALUE,
            Long.MAX_VALUE);
    return Arbitraries.oneOf(
        edges, Arbitraries.longs(), Arbitraries.integers().map(Integer::longValue));
  }

  @Provide
  Arbitrary<Integer> ints() {
    Arbitrary<Integer> edges =
        Arbitraries.of(0, 1, 31, 32, 63, 64, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
    return Arbitraries.oneOf(edges, Arbitraries.integers());
  }

  private long compute(Width width, AluOp op, long left, Operand right, long inR2) {
    Instruction alu = new Instruction.Alu(width, op, Register.R0, right);
    return run(right instanceof Immediate ? program(alu) : known(alu), left, inR2);
  }

  private boolean jumps(Width width, JumpOp op, long left, Operand right, long inR2) {
    Instruction jump = new Instruction.Jump(width, op, Register.R0, right, TAKEN);
    return run(right instanceof Immediate ? program(jump) : known(jump), left, inR2) != NOT_TAKEN;
  }

  private long unary(Instruction instruction, long value) {
    return run(known(instruction), value, 0);
  }

  /** Runs a program with values in r0 and r2; returns r0, which jumps set. */
  private long run(BpfProgram program, long inR0, long inR2) {
    VirtualMachine machine =
        MACHINES.computeIfAbsent(
            engine(),
            engine -> new VirtualMachine(List.of(), 1, VmOptions.DEFAULT.withEngine(engine)));
    byte[] context =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(inR0)
            .putLong(inR2)
            .array();
    return machine.run(program, context, Task.of(1, "init"));
  }

  private static BpfProgram known(Instruction instruction) {
    return PROGRAMS.computeIfAbsent(instruction, ArithmeticTest::program);
  }

  private static BpfProgram program(Instruction instruction) {
    List<Instruction> code = new ArrayList<>();
    code.add(Code.load(Size.DW, Register.R0, Register.R1, 0));
    code.add(Code.load(Size.DW, Register.R2, Register.R1, 8));
    code.add(instruction);
    if (instruction instanceof Instruction.Jump) {
      code.add(Code.mov(Register.R0, NOT_TAKEN));
      code.add(Code.exit());
      code.add(new Instruction.LabelMark(TAKEN));
      code.add(Code.mov(Register.R0, NOT_TAKEN + 1));
    }
    code.add(Code.exit());
    return Code.program(2 * Long.BYTES, code.toArray(Instruction[]::new));
  }

  private long swap(Instruction.ByteSwap.Order order, int bits, long value) {
    return unary(new Instruction.ByteSwap(order, bits, Register.R0), value);
  }

  private static long reference(Width width, AluOp op, long left, long right) {
    BigInteger l = big(width, left);
    BigInteger r = big(width, right);
    BigInteger ul = unsigned(width, l);
    BigInteger ur = unsigned(width, r);
    int count = ur.and(BigInteger.valueOf(bits(width) - 1)).intValue();
    boolean byZero = r.signum() == 0;
    BigInteger result =
        switch (op) {
          case ADD -> l.add(r);
          case SUB -> l.subtract(r);
          case MUL -> l.multiply(r);
          case DIV -> byZero ? BigInteger.ZERO : ul.divide(ur);
          case SDIV -> byZero ? BigInteger.ZERO : l.divide(r);
          case MOD -> byZero ? l : ul.remainder(ur);
          case SMOD -> byZero ? l : l.remainder(r);
          case OR -> l.or(r);
          case AND -> l.and(r);
          case XOR -> l.xor(r);
          case MOV -> r;
          case LSH -> l.shiftLeft(count);
          case RSH -> ul.shiftRight(count);
          case ARSH -> l.shiftRight(count);
        };
    return cut(width, result);
  }

  private static boolean referenceJump(Width width, JumpOp op, long left, long right) {
    BigInteger l = big(width, left);
    BigInteger r = big(width, right);
    int signed = l.compareTo(r);
    int unsigned = unsigned(width, l).compareTo(unsigned(width, r));
    return switch (op) {
      case JEQ -> signed == 0;
      case JNE -> signed != 0;
      case JSET -> l.and(r).signum() != 0;
      case JGT -> unsigned > 0;
      case JGE -> unsigned >= 0;
      case JLT -> unsigned < 0;
      case JLE -> unsigned <= 0;
      case JSGT -> signed > 0;
      case JSGE -> signed >= 0;
      case JSLT -> signed < 0;
      case JSLE -> signed <= 0;
    };
  }

  private static int bits(Width width) {
    return width == Width.W64 ? 64 : 32;
  }

  private static BigInteger big(Width width, long value) {
    return signed(bits(width), BigInteger.valueOf(value));
  }

  private static BigInteger signed(int bits, BigInteger value) {
    BigInteger lower = value.mod(TWO.pow(bits));
    return lower.testBit(bits - 1) ? lower.subtract(TWO.pow(bits)) : lower;
  }

  private static BigInteger unsigned(Width width, BigInteger value) {
    return value.mod(TWO.pow(bits(width)));
  }

  /** Returns the low bits of a value, zero-extended. */
  private static long cut(Width width, BigInteger value) {
    return unsigned(width, value).longValue();
  }
}
