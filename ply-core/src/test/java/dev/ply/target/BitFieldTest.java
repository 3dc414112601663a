package dev.ply.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Bit-fields are where C compilers put them, in either byte order. */
class BitFieldTest {
  @Provide
  Arbitrary<ByteOrder> orders() {
    return Arbitraries.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN);
  }

  @Property
  void anyBitFieldIsFound(
      @ForAll("orders") ByteOrder order,
      @ForAll @IntRange(min = 0, max = 7) int shift,
      @ForAll @IntRange(min = 1, max = 57) int bits,
      @ForAll long content,
      @ForAll long around) {
    long value = content & (-1L >>> (Long.SIZE - bits));
    // Bit by bit: from the lowest one up in little-endian memory, from the highest down in the
    // other.
    ByteBuffer memory = ByteBuffer.allocate(Long.BYTES).putLong(0, around).order(order);
    for (int i = 0; i < bits; i++) {
      boolean isLittle = order == ByteOrder.LITTLE_ENDIAN;
      long bit = value >>> (isLittle ? i : bits - 1 - i) & 1;
      int at = (shift + i) / Byte.SIZE;
      int mask = isLittle ? 1 << (shift + i) % Byte.SIZE : 0x80 >> (shift + i) % Byte.SIZE;
      memory.put(at, (byte) (bit == 0 ? memory.get(at) & ~mask : memory.get(at) | mask));
    }
    KernelTypes.Member member = new KernelTypes.Member("m", IntType.U64, 0, bits, shift);
    assertThat(memory.getLong(0) << member.bitsAbove(Long.BYTES, order) >>> (Long.SIZE - bits))
        .isEqualTo(value);
    if (shift + bits <= Integer.SIZE) {
      assertThat(
              Integer.toUnsignedLong(memory.getInt(0))
                  << member.bitsAbove(Integer.BYTES, order)
                  >>> (Long.SIZE - bits))
          .isEqualTo(value);
    }
  }
}
