package dev.ply.bpf.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.table.Datum;
import dev.ply.table.StringDecoder;
import dev.ply.target.KernelTypes;
import dev.ply.target.UserSymbols;
import dev.ply.type.Type;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values are read in the byte order of the machine that stored them. */
class DatumReaderTest {
  /**
   * As GCC lays out {@code struct { int low : 3; int high : 7; unsigned wide : 20; int next; }}.
   */
  private static KernelTypes types(ByteOrder order) {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int u32 = btf.integer("unsigned int", 4, false);
    int unused =
        btf.struct(
            "flags",
            8,
            new Member("low", s32, 0, 3),
            new Member("high", s32, 3, 7),
            new Member("wide", u32, 10, 20),
            new Member("next", s32, 32, 0));
    return BtfTypes.parse(btf.build(order));
  }

  /**
   * The bytes are those of compiled C with low = -2, high = 33, wide = 0xabcde, next = 0x01020304.
   */
  @ParameterizedTest
  @CsvSource({
    "LITTLE_ENDIAN, 0e 79 f3 2a 04 03 02 01",
    "BIG_ENDIAN,    c8 6a f3 78 01 02 03 04",
  })
  void bitFieldsAreInTheByteOrder(String name, String memory) {
    ByteOrder order = name.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    KernelTypes types = types(order);
    ByteBuffer bytes = ByteBuffer.allocate(8).order(order);
    int at = 0;
    for (String one : memory.split(" ", -1)) {
      bytes.put(at++, (byte) Integer.parseInt(one, 16));
    }
    Type struct = types.struct("flags").orElseThrow();
    Datum read = reader(types).read(struct, bytes, 0);
    assertThat(((Datum.Struct) read).fields())
        .extracting(field -> ((Datum.Int) field).value())
        .containsExactly(-2L, 33L, 0xabcdeL, 0x01020304L);
  }

  private static DatumReader reader(KernelTypes types) {
    SimulatedTarget target = SimulatedTarget.create();
    return new DatumReader(
        (id, type) -> {
          throw new IllegalStateException("no stack is read");
        },
        Map.of(),
        new StringDecoder(target, UserSymbols.NONE, Map.of(), false),
        types,
        "..");
  }
}
