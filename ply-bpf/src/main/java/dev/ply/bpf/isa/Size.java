package dev.ply.bpf.isa;

/** The size of a memory access (RFC 9669, section 5). */
public enum Size {
  /** One byte. */
  B(0x10, 1),
  /** Two bytes. */
  H(0x08, 2),
  /** Four bytes. */
  W(0x00, 4),
  /** Eight bytes. */
  DW(0x18, 8);

  private final int bits;
  private final int bytes;

  Size(int bits, int bytes) {
    this.bits = bits;
    this.bytes = bytes;
  }

  /** {@return bits 3 and 4 of the opcode} */
  public int bits() {
    return bits;
  }

  /** {@return the number of bytes accessed} */
  public int bytes() {
    return bytes;
  }

  /**
   * {@return the size of {@code bytes} bytes: 1, 2, 4 or 8}
   *
   * @param bytes 1, 2, 4 or 8
   */
  public static Size ofBytes(int bytes) {
    return switch (bytes) {
      case 1 -> B;
      case 2 -> H;
      case 4 -> W;
      case 8 -> DW;
      default ->
          throw new IllegalArgumentException("accesses have 1, 2, 4 or 8 bytes, not " + bytes);
    };
  }
}
