package dev.ply.kernel.code;

import java.util.Optional;

/**
 * An instruction of x86-64 code relevant for cheap probes: one that the kernel emulates, or one
 * whose effect a function's probe does not observe. Encodings are those of the Intel manual, volume
 * 2; emulation is that of {@code arch/x86/kernel/uprobes.c}.
 *
 * @param length in bytes
 * @param isEmulated whether the kernel emulates it instead of single-stepping: pushes, calls,
 *     jumps. Otherwise it changes only flags and registers other than arguments and the stack
 *     pointer
 */
record X86Instruction(int length, boolean isEmulated) {
  /** The registers that pass no arguments: rax, rbx, rbp, r10 to r15. */
  private static final int FREE_REGISTERS = 0b1111_1100_0010_1001;

  private static final int REX = 0x40;
  private static final int REX_WIDE = 8;
  private static final int REX_REGISTER = 4;
  private static final int REX_BASE = 1;

  /** Returns the instruction at an offset, if it is relevant. */
  static Optional<X86Instruction> at(byte[] code, int start) {
    return new Decoder(code, start).decode();
  }

  /** Decodes one instruction, starting with its prefixes. */
  private static final class Decoder {
    private final byte[] code;
    private final int start;
    private int at;
    private boolean isShort;
    private boolean isRepeated;
    private int rex;

    Decoder(byte[] code, int start) {
      this.code = code;
      this.start = start;
      this.at = start;
    }

    Optional<X86Instruction> decode() {
      boolean isPrefix = true;
      while (isPrefix) {
        int prefix = peek(0);
        isShort |= prefix == 0x66;
        isRepeated |= prefix == 0xf3;
        // The fs and gs prefixes, for thread-local memory.
        isPrefix = prefix == 0x66 || prefix == 0xf3 || prefix == 0x64 || prefix == 0x65;
        at += isPrefix ? 1 : 0;
      }
      boolean isPlain = at == start;
      if ((peek(0) & 0xf0) == REX) {
        rex = next();
      }
      if (isPlain && isEmulated()) {
        return end(emulatedLength(), true);
      }
      if (isRepeated) {
        boolean isBranchTarget = peek(0) == 0x0f && peek(1) == 0x1e && peek(2) == 0xfa;
        return isBranchTarget && rex == 0 && at == start + 1 ? end(3, false) : Optional.empty();
      }
      return unseen();
    }

    private boolean isEmulated() {
      int opcode = peek(0);
      boolean isPush = (opcode & 0xf8) == 0x50;
      boolean isBranch =
          opcode == 0xe8
              || opcode == 0xe9
              || opcode == 0xeb
              || opcode == 0x90
              || (opcode & 0xf0) == 0x70
              || (opcode == 0x0f && (peek(1) & 0xf0) == 0x80);
      return isPush ? rex == 0 || rex == (REX | REX_BASE) : isBranch && rex == 0;
    }

    private int emulatedLength() {
      return switch (peek(0)) {
        case 0xe8, 0xe9 -> 1 + Integer.BYTES;
        case 0x0f -> 2 + Integer.BYTES;
        case 0xeb -> 2;
        default -> (peek(0) & 0xf0) == 0x70 ? 2 : 1;
      };
    }

    private Optional<X86Instruction> unseen() {
      int opcode = next();
      switch (opcode) {
        case 0x90 -> {
          // {@code xchg %rax,%rax}; with a prefix {@code xchg %r8,%rax}, which changes an argument.
          return isFree(base(opcode)) ? end(0, false) : Optional.empty();
        }
        case 0x0f -> {
          // The only relevant two-byte opcodes.
          return next() == 0x1f ? end(operand(), false) : Optional.empty();
        }
        case 0x38, 0x39, 0x3a, 0x3b, 0x84, 0x85 -> {
          return end(operand(), false);
        }
        case 0x3c, 0xa8 -> {
          return end(1, false);
        }
        case 0x3d, 0xa9 -> {
          return end(immediate(), false);
        }
        case 0x80, 0x83 -> {
          return extension() == 7 ? end(operand() + 1, false) : Optional.empty();
        }
        case 0x81 -> {
          return extension() == 7 ? end(operand() + immediate(), false) : Optional.empty();
        }
        case 0xf6 -> {
          return extension() == 0 ? end(operand() + 1, false) : Optional.empty();
        }
        case 0xf7 -> {
          return extension() == 0 ? end(operand() + immediate(), false) : Optional.empty();
        }
        case 0x8b, 0x8d, 0x33 -> {
          return isFree(register()) ? end(operand(), false) : Optional.empty();
        }
        case 0x89, 0x31 -> {
          boolean isRegister = peek(0) >>> 6 == 3;
          return isRegister && isFree(base(peek(0))) ? end(operand(), false) : Optional.empty();
        }
        default -> {
          if ((opcode & 0xf8) == 0xb8 && isFree(base(opcode))) {
            return end((rex & REX_WIDE) != 0 ? Long.BYTES : immediate(), false);
          }
          return Optional.empty();
        }
      }
    }

    private int immediate() {
      return isShort && (rex & REX_WIDE) == 0 ? Short.BYTES : Integer.BYTES;
    }

    private int extension() {
      return peek(0) >>> 3 & 7;
    }

    private int register() {
      return extension() | ((rex & REX_REGISTER) != 0 ? 8 : 0);
    }

    private int base(int lowest) {
      return (lowest & 7) | ((rex & REX_BASE) != 0 ? 8 : 0);
    }

    private static boolean isFree(int register) {
      return (FREE_REGISTERS >>> register & 1) != 0;
    }

    /** Returns the length of ModRM, SIB and displacement. */
    private int operand() {
      int mod = peek(0) >>> 6;
      int place = peek(0) & 7;
      if (mod == 3) {
        return 1;
      }
      int scaled = place == 4 ? 1 : 0;
      boolean isAddress = mod == 0 && (scaled == 0 ? place : peek(1) & 7) == 5;
      int displacement = mod == 1 ? 1 : mod == 2 || isAddress ? Integer.BYTES : 0;
      return 1 + scaled + displacement;
    }

    private Optional<X86Instruction> end(int more, boolean emulated) {
      int end = at + more;
      return end <= code.length
          ? Optional.of(new X86Instruction(end - start, emulated))
          : Optional.empty();
    }

    private int peek(int ahead) {
      // A truncated instruction would extend past the end of the code.
      return at + ahead < code.length ? code[at + ahead] & 0xff : 0;
    }

    private int next() {
      int value = peek(0);
      at++;
      return value;
    }
  }
}
