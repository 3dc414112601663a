package dev.ply.kernel.dwarf;

import dev.ply.kernel.elf.TestElf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes {@code .debug_line} of DWARF, little-endian, right or wrong. */
public final class LineBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Appends single bytes. */
  public LineBytes add(int... octets) {
    for (int octet : octets) {
      bytes.write(octet);
    }
    return this;
  }

  /** Appends a number of 2, 4 or 8 bytes. */
  public LineBytes number(int size, long value) {
    ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    bytes.write(number.array(), 0, size);
    return this;
  }

  /** Appends a string and its NUL. */
  public LineBytes string(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return add(0);
  }

  /** Appends others. */
  public LineBytes add(LineBytes others) {
    bytes.writeBytes(others.bytes.toByteArray());
    return this;
  }

  /** Appends bytes. */
  public LineBytes add(byte[] others) {
    bytes.writeBytes(others);
    return this;
  }

  /** Returns all so far. */
  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  private static LineBytes opcodes() {
    // Steps of 1 byte, lines by -3 up to 8, operands of the 12 standard opcodes.
    return new LineBytes().add(1, 1, 1, -3, 12, 13).add(0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1);
  }

  /** Returns a unit of DWARF 4 with tables and a program. */
  public static LineBytes unit4(LineBytes tables, LineBytes program) {
    LineBytes header = opcodes().add(tables);
    return sized(
        new LineBytes().number(2, 4).number(4, header.toBytes().length).add(header).add(program));
  }

  /** Returns a unit of DWARF 5 with tables and a program. */
  public static LineBytes unit5(LineBytes tables, LineBytes program) {
    LineBytes header = opcodes().add(tables);
    return sized(
        new LineBytes()
            .number(2, 5)
            .add(8, 0)
            .number(4, header.toBytes().length)
            .add(header)
            .add(program));
  }

  private static LineBytes sized(LineBytes unit) {
    return new LineBytes().number(4, unit.toBytes().length).add(unit);
  }

  /** Returns tables of DWARF 4: {@code a.c} in the directory of the build, {@code b.h} in /inc. */
  public static LineBytes files4() {
    return new LineBytes()
        .string("/inc")
        .add(0)
        .string("a.c")
        .add(0, 0, 0)
        .string("b.h")
        .add(1, 0, 0)
        .add(0);
  }

  /** Returns a program: line 7 of file 1 at +0, line 9 at +4, line 3 of file 2 at +6 up to +16. */
  public static LineBytes program() {
    return program(TestElf.CODE_ADDRESS);
  }

  /** Returns that program at another address. */
  public static LineBytes program(long address) {
    return new LineBytes()
        .add(0, 9, 2)
        .number(8, address)
        .add(3, 6, 1)
        // A special opcode: 4 bytes, 2 lines.
        .add(13 + 4 * 12 + 5)
        .add(4, 2, 3, 0x7a, 2, 2, 1)
        .add(2, 10, 0, 1, 1);
  }
}
