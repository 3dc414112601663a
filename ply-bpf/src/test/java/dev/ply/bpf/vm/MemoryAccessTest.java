package dev.ply.bpf.vm;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.vm.Code.atomic;
import static dev.ply.bpf.vm.Code.exit;
import static dev.ply.bpf.vm.Code.load;
import static dev.ply.bpf.vm.Code.mov;
import static dev.ply.bpf.vm.Code.store;
import static dev.ply.bpf.vm.Code.wide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Size;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

public class MemoryAccessTest {
  @SuppressWarnings("this-escape") // engine() needs no state
  private final VirtualMachine machine =
      new VirtualMachine(List.of(), 1, VmOptions.DEFAULT.withEngine(engine()));

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  @Property
  void loadsAreLittleEndianAtAnyOffset(
      @ForAll Size size,
      @ForAll Extension extension,
      @ForAll long value,
      @ForAll @IntRange(min = 0, max = 8) int offset) {
    byte[] memory = new byte[16];
    ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN).putLong(offset, value);
    long expected =
        switch (size) {
          case B -> extension == Extension.SIGN ? (byte) value : value & 0xff;
          case H -> extension == Extension.SIGN ? (short) value : value & 0xffff;
          case W -> extension == Extension.SIGN ? (int) value : value & 0xffffffffL;
          case DW -> value;
        };

    assertThat(run(memory, new Instruction.Load(size, extension, R0, R1, offset), exit()))
        .isEqualTo(expected);
  }

  @Property
  void storesWriteOnlyTheirBytes(
      @ForAll Size size, @ForAll long value, @ForAll @IntRange(min = 0, max = 8) int offset) {
    byte[] memory = new byte[16];
    run(memory, wide(R3, value), store(size, R1, offset, R3), mov(R0, 0), exit());

    byte[] expected = new byte[16];
    for (int i = 0; i < size.bytes(); i++) {
      expected[offset + i] = (byte) (value >>> (8 * i));
    }
    assertThat(memory).containsExactly(expected);
  }

  @Test
  void immediateStoresSignExtend() {
    byte[] memory = new byte[8];

    assertThat(run(memory, store(Size.DW, R1, 0, -2), load(Size.DW, R0, R1, 0), exit()))
        .isEqualTo(-2);
  }

  @Property
  void atomicOperationsUpdateMemoryAndFetchTheOldValue(
      @ForAll AtomicOp op, @ForAll boolean wide, @ForAll long old, @ForAll long source) {
    Assume.that(op != AtomicOp.CMPXCHG);
    byte[] memory = new byte[8];
    ByteBuffer buffer = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN).putLong(0, old);
    Size size = wide ? Size.DW : Size.W;
    long result = run(memory, wide(R3, source), atomic(size, op, R1, 0, R3), mov(R0, R3), exit());

    long updated =
        switch (op) {
          case ADD, FETCH_ADD -> old + source;
          case OR, FETCH_OR -> old | source;
          case AND, FETCH_AND -> old & source;
          case XOR, FETCH_XOR -> old ^ source;
          case XCHG, CMPXCHG -> source;
        };
    long lower = wide ? -1L : 0xffffffffL;
    assertThat(buffer.getLong(0)).isEqualTo((old & ~lower) | (updated & lower));
    assertThat(result).isEqualTo(op.fetches() ? old & lower : source);
  }

  @Property
  void compareAndExchangeStoresOnlyIfR0Matches(
      @ForAll boolean wide, @ForAll boolean equal, @ForAll long old, @ForAll long source) {
    byte[] memory = new byte[8];
    ByteBuffer buffer = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN).putLong(0, old);
    // The 32-bit form ignores the upper half of r0.
    long upper = wide ? 0 : 0x5a5a_0000_0000_0000L;
    long expected = equal ? old ^ upper : ~old;
    Size size = wide ? Size.DW : Size.W;
    long result =
        run(
            memory,
            wide(R3, source),
            wide(R0, expected),
            atomic(size, AtomicOp.CMPXCHG, R1, 0, R3),
            exit());

    long lower = wide ? -1L : 0xffffffffL;
    assertThat(result).isEqualTo(old & lower);
    assertThat(buffer.getLong(0)).isEqualTo(equal ? (old & ~lower) | (source & lower) : old);
  }

  @Test
  void pointersCanBeComputedAndCompared() {
    assertThat(
            run(
                new byte[8],
                mov(R3, R10),
                Code.add(R3, -16),
                store(Size.W, R3, 4, 77),
                load(Size.W, R0, R10, -12),
                Code.alu(AluOp.SUB, R3, R10),
                Code.alu(AluOp.ADD, R0, R3),
                exit()))
        .isEqualTo(77 - 16);
  }

  private long run(byte[] memory, Instruction... code) {
    return machine.run(List.of(code), memory);
  }
}
