package dev.ply.bpf.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The fields of an 8-byte slot (RFC 9669, section 3.1), not yet interpreted.
 *
 * @param opcode 0 to 255
 * @param dst 0 to 15
 * @param src 0 to 15
 * @param offset signed 16 bits
 */
record Slot(int opcode, int dst, int src, int offset, int immediate) {
  /** Size of a slot in bytes. */
  static final int BYTES = 8;

  /** Returns the second slot of a wide instruction. */
  static Slot second(int immediate) {
    return new Slot(0, 0, 0, 0, immediate);
  }

  /**
   * Reads a slot in the buffer's byte order, which also decides the order of the register nibbles.
   */
  static Slot get(ByteBuffer in) {
    int opcode = Byte.toUnsignedInt(in.get());
    int registers = Byte.toUnsignedInt(in.get());
    int low = registers & 0xf;
    int high = registers >>> 4;
    boolean little = in.order() == ByteOrder.LITTLE_ENDIAN;
    return new Slot(opcode, little ? low : high, little ? high : low, in.getShort(), in.getInt());
  }

  /** Writes this slot in the buffer's byte order. */
  void put(ByteBuffer out) {
    boolean little = out.order() == ByteOrder.LITTLE_ENDIAN;
    out.put((byte) opcode);
    out.put((byte) (little ? src << 4 | dst : dst << 4 | src));
    out.putShort((short) offset);
    out.putInt(immediate);
  }
}
