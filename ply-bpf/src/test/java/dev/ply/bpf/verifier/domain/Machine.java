package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Width;

/** Concrete arithmetic as RFC 9669 defines it, to compare the abstract one with. */
final class Machine {
  private Machine() {}

  static long compute(AluOp op, Width width, long left, long right) {
    if (width == Width.W64) {
      return compute64(op, left, right);
    }
    return compute32(op, (int) left, (int) right) & 0xffff_ffffL;
  }

  private static long compute64(AluOp op, long a, long b) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> b == 0 ? 0 : Long.divideUnsigned(a, b);
      case SDIV -> b == 0 ? 0 : a / b;
      case OR -> a | b;
      case AND -> a & b;
      case LSH -> a << b;
      case RSH -> a >>> b;
      case MOD -> b == 0 ? a : Long.remainderUnsigned(a, b);
      case SMOD -> b == 0 ? a : a % b;
      case XOR -> a ^ b;
      case MOV -> b;
      case ARSH -> a >> b;
    };
  }

  private static int compute32(AluOp op, int a, int b) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> b == 0 ? 0 : Integer.divideUnsigned(a, b);
      case SDIV -> b == 0 ? 0 : a / b;
      case OR -> a | b;
      case AND -> a & b;
      case LSH -> a << b;
      case RSH -> a >>> b;
      case MOD -> b == 0 ? a : Integer.remainderUnsigned(a, b);
      case SMOD -> b == 0 ? a : a % b;
      case XOR -> a ^ b;
      case MOV -> b;
      case ARSH -> a >> b;
    };
  }
}
