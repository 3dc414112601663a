package dev.ply.kernel.code;

import java.util.BitSet;

/**
 * Decodes the lengths of x86 instructions, of 64-bit and of 32-bit code: prefixes, opcode maps, VEX
 * and EVEX, addressing forms and immediates of the Intel manual, volume 2, appendix A. XOP is
 * decoded; APX and opcodes without a meaning are not.
 */
final class X86Length {
  /** The maximum length of an instruction in bytes. */
  private static final int LONGEST = 15;

  /** One-byte opcodes without a meaning in 64-bit code. */
  private static final BitSet INVALID_IN_64 =
      bytes(
          0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f, 0x60, 0x61, 0x82, 0x9a,
          0xce, 0xd4, 0xd5, 0xd6, 0xea);

  /** Two-byte opcodes (0f …) without operands. */
  private static final BitSet PLAIN_0F =
      bytes(
          0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x37, 0x77,
          0xa0, 0xa1, 0xa2, 0xa8, 0xa9, 0xaa, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf);

  /** Two-byte opcodes without a meaning. */
  private static final BitSet INVALID_0F =
      bytes(
          0x04, 0x0a, 0x0c, 0x24, 0x25, 0x26, 0x27, 0x36, 0x39, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f, 0x7a,
          0x7b);

  /** Two-byte opcodes with a ModRM byte and an 8-bit immediate, with a VEX prefix as well. */
  private static final BitSet BYTE_0F = bytes(0x70, 0x71, 0x72, 0x73, 0xc2, 0xc4, 0xc5, 0xc6);

  private final byte[] code;
  private final int start;
  private final boolean is64;
  private int at;
  private boolean isShort;
  private boolean isRepeated;
  private boolean isAddressShort;
  private boolean isWide;
  private boolean isInvalid;

  private X86Length(byte[] code, int start, boolean is64) {
    this.code = code;
    this.start = start;
    this.at = start;
    this.is64 = is64;
  }

  /**
   * Returns the length in bytes of the instruction at an offset; 0 if it is not decoded, or the
   * code ends before it does.
   */
  static int at(byte[] code, int start, boolean is64) {
    X86Length decoder = new X86Length(code, start, is64);
    decoder.instruction();
    int length = decoder.at - start;
    return decoder.isInvalid || length > LONGEST || decoder.at > code.length ? 0 : length;
  }

  private static BitSet bytes(int... values) {
    BitSet set = new BitSet(256);
    for (int value : values) {
      set.set(value);
    }
    return set;
  }

  private void instruction() {
    while (isPrefix(peek()) && at - start < LONGEST) {
      at++;
    }
    if (is64 && (peek() & 0xf0) == 0x40) {
      isWide = (next() & 8) != 0;
    }
    int opcode = next();
    switch (opcode) {
      case 0x0f -> twoByte();
      case 0xc4, 0xc5 -> vector(opcode, is64 || peek() >>> 6 == 3);
      case 0x62 -> {
        if (is64 || peek() >>> 6 == 3) {
          evex();
        } else {
          operand();
        }
      }
      default -> oneByte(opcode);
    }
  }

  private boolean isPrefix(int value) {
    switch (value) {
      case 0x66 -> isShort = true;
      case 0x67 -> isAddressShort = true;
      case 0xf2, 0xf3 -> isRepeated = true;
      case 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65 -> {
        // A lock, or a segment: no effect on the length.
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void oneByte(int opcode) {
    if (is64 && INVALID_IN_64.get(opcode)) {
      isInvalid = true;
    } else if (opcode < 0x40) {
      arithmetic(opcode & 7);
    } else if (opcode >= 0x70 && opcode < 0x80) {
      skip(1);
    } else if (opcode >= 0x80 && opcode < 0x90) {
      grouped(opcode);
    } else if (opcode >= 0xb0 && opcode < 0xc0) {
      skip(opcode < 0xb8 ? 1 : isWide ? Long.BYTES : immediate());
    } else if (opcode >= 0xd8 && opcode < 0xe0) {
      operand();
    } else {
      other(opcode);
    }
  }

  /** The eight forms of add, or, adc, sbb, and, sub, xor, cmp. */
  private void arithmetic(int form) {
    switch (form) {
      case 0, 1, 2, 3 -> operand();
      case 4 -> skip(1);
      case 5 -> skip(immediate());
      default -> {
        // Segment registers, decimal adjustment: no operands.
      }
    }
  }

  private void grouped(int opcode) {
    if (opcode == 0x8f && (peek() >>> 3 & 7) != 0) {
      xop();
      return;
    }
    operand();
    if (opcode == 0x81) {
      skip(immediate());
    } else if (opcode <= 0x83) {
      skip(1);
    }
  }

  private void other(int opcode) {
    switch (opcode) {
      case 0x63, 0xd0, 0xd1, 0xd2, 0xd3 -> operand();
      case 0x68, 0xa9 -> skip(immediate());
      case 0x69, 0xc7 -> {
        operand();
        skip(immediate());
      }
      case 0x6b, 0xc0, 0xc1, 0xc6 -> {
        operand();
        skip(1);
      }
      case 0x6a, 0xa8, 0xcd, 0xd4, 0xd5, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xeb ->
          skip(1);
      case 0x9a, 0xea -> skip(immediate() + Short.BYTES);
      case 0xa0, 0xa1, 0xa2, 0xa3 -> skip(addressBytes());
      case 0xc2, 0xca -> skip(Short.BYTES);
      case 0xc8 -> skip(Short.BYTES + 1);
      case 0xe8, 0xe9 -> skip(distance());
      case 0xf6, 0xf7 -> {
        boolean isTest = (peek() >>> 3 & 7) < 2;
        operand();
        skip(!isTest ? 0 : opcode == 0xf6 ? 1 : immediate());
      }
      case 0xfe -> {
        isInvalid = (peek() >>> 3 & 7) > 1;
        operand();
      }
      case 0xff -> {
        isInvalid = (peek() >>> 3 & 7) == 7;
        operand();
      }
      default -> isInvalid = opcode == 0xd6;
    }
  }

  private void twoByte() {
    int opcode = next();
    if (INVALID_0F.get(opcode)) {
      isInvalid = true;
    } else if (opcode == 0x38) {
      at++;
      operand();
    } else if (opcode == 0x3a) {
      at++;
      operand();
      skip(1);
    } else if (opcode >= 0x20 && opcode < 0x24) {
      // Control and debug registers: always in registers, whatever ModRM says.
      skip(1);
    } else if (opcode >= 0x80 && opcode < 0x90) {
      skip(distance());
    } else if (!PLAIN_0F.get(opcode)) {
      operand();
      boolean hasByte =
          BYTE_0F.get(opcode)
              || opcode == 0x0f
              || opcode == 0xa4
              || opcode == 0xac
              || opcode == 0xba;
      // extrq and insertq of SSE4a.
      boolean hasTwo = opcode == 0x78 && (isShort || isRepeated);
      skip(hasByte ? 1 : hasTwo ? 2 : 0);
    }
  }

  private void vector(int opcode, boolean isVector) {
    if (!isVector) {
      // les and lds.
      operand();
      return;
    }
    int map = opcode == 0xc5 ? 1 : peek() & 0x1f;
    skip(opcode == 0xc5 ? 1 : 2);
    int operation = next();
    isInvalid |= map < 1 || map > 3;
    // vzeroupper and vzeroall alone have no operands.
    if (map != 1 || operation != 0x77) {
      operand();
    }
    skip(map == 3 || (map == 1 && BYTE_0F.get(operation)) ? 1 : 0);
  }

  /** AMD's instructions of maps 8 to 10. */
  private void xop() {
    int map = peek() & 0x1f;
    isInvalid |= map < 8 || map > 10;
    skip(3);
    operand();
    skip(map == 8 ? 1 : map == 10 ? Integer.BYTES : 0);
  }

  private void evex() {
    int map = peek() & 7;
    isInvalid |= map == 0 || map == 4 || map == 7;
    skip(3);
    int operation = next();
    operand();
    skip(map == 3 || (map == 1 && BYTE_0F.get(operation)) ? 1 : 0);
  }

  /** Skips ModRM, SIB and displacement. */
  private void operand() {
    int form = next();
    int mod = form >>> 6;
    int base = form & 7;
    if (mod == 3) {
      return;
    }
    if (!is64 && isAddressShort) {
      skip(mod == 1 ? 1 : mod == 2 || base == 6 ? Short.BYTES : 0);
      return;
    }
    if (base == 4) {
      base = next() & 7;
    }
    skip(mod == 1 ? 1 : mod == 2 || base == 5 ? Integer.BYTES : 0);
  }

  /** The bytes of an immediate operand that is not a single byte. */
  private int immediate() {
    return isShort && !isWide ? Short.BYTES : Integer.BYTES;
  }

  /** The bytes of a jump's distance: in 64-bit code, Intel's processors ignore the prefix. */
  private int distance() {
    return isShort && !is64 ? Short.BYTES : Integer.BYTES;
  }

  private int addressBytes() {
    if (is64) {
      return isAddressShort ? Integer.BYTES : Long.BYTES;
    }
    return isAddressShort ? Short.BYTES : Integer.BYTES;
  }

  private void skip(int bytes) {
    at += bytes;
  }

  private int peek() {
    // A truncated instruction extends past the end of the code.
    return at < code.length ? code[at] & 0xff : 0;
  }

  private int next() {
    int value = peek();
    at++;
    return value;
  }
}
