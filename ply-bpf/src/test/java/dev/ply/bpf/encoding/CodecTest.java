package dev.ply.bpf.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.ply.bpf.generate.Programs;
import dev.ply.bpf.isa.Instruction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CodecTest {
  private static final List<String> MAPS = List.of("a", "b", "c", "d");
  private static final int[] OFFSETS = {0, 1, 8, 16, 32, -1};
  private static final int[] IMMEDIATES = {
    0, 1, 2, -1, 16, 32, 64, 0x40, 0x41, 0x50, 0x51, 0xa0, 0xa1, 0xe0, 0xe1, 0xf1
  };

  private static final int[] OFFSET_EDGES = {
    0, 1, 2, 7, 8, 16, 32, 64, -1, Byte.MAX_VALUE, Short.MIN_VALUE, Short.MAX_VALUE
  };
  private static final int[] IMMEDIATE_EDGES =
      IntStream.concat(
              Arrays.stream(IMMEDIATES),
              IntStream.of(
                  8, 31, 63, 0xff, 0x100, 0x110, 0xffff, Integer.MIN_VALUE, Integer.MAX_VALUE))
          .toArray();

  @Property
  void decodeInvertsEncode(
      @ForAll("programs") List<Instruction> program, @ForAll("orders") ByteOrder order) {
    byte[] bytes = encoder(order).encode(program).bytes();

    assertThat(decoder(order).decode(bytes)).isEqualTo(Programs.canonical(program));
  }

  /**
   * All opcodes; {@code -Dcodec.exhaustive=true} adds all registers and more edge cases (minutes).
   */
  @Example
  void everyOpcodeIsRejectedOrRoundTrips() {
    boolean exhaustive = Boolean.getBoolean("codec.exhaustive");
    int[] all = IntStream.rangeClosed(0, 15).toArray();
    long checked = 0;
    for (int opcode = 0; opcode <= 0xff; opcode++) {
      for (int dst : exhaustive ? all : new int[] {0, 1, 11}) {
        for (int src : exhaustive ? all : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 11}) {
          for (int offset : exhaustive ? OFFSET_EDGES : OFFSETS) {
            for (int immediate : exhaustive ? IMMEDIATE_EDGES : IMMEDIATES) {
              check(new Slot(opcode, dst, src, offset, immediate), ByteOrder.LITTLE_ENDIAN);
              check(new Slot(opcode, dst, src, offset, immediate), ByteOrder.BIG_ENDIAN);
              checked += 2;
            }
          }
        }
      }
    }
    assertThat(checked).isGreaterThan(256 * 3 * 9);
    System.out.println("slots checked, both byte orders: " + checked);
  }

  @Property
  void everySlotIsRejectedOrRoundTripsInEitherByteOrder(
      @ForAll("slots") Slot slot, @ForAll("orders") ByteOrder order) {
    check(slot, order);
  }

  private static void check(Slot slot, ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(5 * Slot.BYTES).order(order);
    Slot exit = new Slot(Opcode.EXIT, 0, 0, 0, 0);
    exit.put(bytes);
    slot.put(bytes);
    (slot.opcode() == Opcode.LOAD_WIDE
            ? Slot.second(slot.src() == 2 || slot.src() == 6 ? 7 : 0)
            : exit)
        .put(bytes);
    exit.put(bytes);
    exit.put(bytes);
    Optional<List<Instruction>> code = decode(bytes.array(), order);
    if (code.isPresent()) {
      byte[] again = encoder(order).encode(code.get()).bytes();
      if (slot.opcode() == Opcode.GOTO_LONG) {
        // The encoder prefers the short form, which older kernels support.
        new Slot(Opcode.GOTO, 0, 0, slot.immediate(), 0).put(bytes.position(Slot.BYTES));
      }
      if (!Arrays.equals(again, bytes.array())) {
        fail(slot + " round-trips to " + Slot.get(ByteBuffer.wrap(again).order(order).position(8)));
      }
    }
  }

  @Property
  void arbitraryBytesDecodeOrAreRejectedAtASlot(@ForAll byte[] bytes) {
    decode(bytes, ByteOrder.LITTLE_ENDIAN);
  }

  private static Optional<List<Instruction>> decode(byte[] bytes, ByteOrder order) {
    try {
      return Optional.of(decoder(order).decode(bytes));
    } catch (InvalidEncodingException e) {
      assertThat(e.slot()).isBetween(0, bytes.length / Slot.BYTES);
      assertThat(e.reason()).isNotBlank();
      return Optional.empty();
    }
  }

  @Provide
  Arbitrary<List<Instruction>> programs() {
    return Programs.any();
  }

  @Provide
  Arbitrary<ByteOrder> orders() {
    return Arbitraries.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN);
  }

  @Provide
  Arbitrary<Slot> slots() {
    Arbitrary<Integer> nibbles = Arbitraries.integers().between(0, 15);
    return Combinators.combine(
            Arbitraries.integers().between(0, 255),
            nibbles,
            nibbles,
            Arbitraries.integers().between(Short.MIN_VALUE, Short.MAX_VALUE),
            Arbitraries.integers())
        .as(Slot::new);
  }

  private static InstructionEncoder encoder(ByteOrder order) {
    return new InstructionEncoder(
        order,
        name -> name.startsWith("#") ? Integer.parseInt(name.substring(1)) : MAPS.indexOf(name));
  }

  private static InstructionDecoder decoder(ByteOrder order) {
    return new InstructionDecoder(
        order, number -> number >= 0 && number < MAPS.size() ? MAPS.get(number) : "#" + number);
  }
}
