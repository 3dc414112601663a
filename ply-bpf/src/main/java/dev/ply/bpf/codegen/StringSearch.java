package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.TextCompiler.Text;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.type.TextBytes;

/**
 * Compiles loops over the bytes of strings. Their bounds are constants, so that the verifier sees
 * that they end.
 */
final class StringSearch {
  private final ClauseCompiler clause;
  private final CodeBuilder code;

  StringSearch(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Computes the number of bytes before the NUL. */
  ScalarCode length(Expr string) {
    if (string instanceof Expr.StringLiteral literal) {
      return new ScalarCode.Constant(bytes(literal).length);
    }
    Text text = clause.texts().indexed(string);
    Register index = code.fresh();
    Label head = code.label("byte");
    Label end = code.label("length");
    code.move(index, new Immediate(0));
    code.place(head);
    code.jump(Width.W64, JumpOp.JGE, index, new Immediate(text.size()), end);
    code.jump(Width.W64, JumpOp.JEQ, load(text, index), new Immediate(0), end);
    code.alu(Width.W64, AluOp.ADD, index, 1);
    code.jump(head);
    code.place(end);
    return new ScalarCode.InRegister(index);
  }

  /** Computes where a string first occurs in another, -1 if it does not. */
  Register index(Expr string, Expr searched) {
    Register index = code.fresh();
    if (!(searched instanceof Expr.StringLiteral literal)) {
      search(clause.texts().indexed(string), clause.texts().indexed(searched), index);
      return index;
    }
    byte[] pattern = bytes(literal);
    if (pattern.length == 0) {
      code.move(index, new Immediate(0));
    } else if (pattern.length <= Long.BYTES) {
      search(clause.texts().indexed(string), pattern, index);
    } else {
      search(clause.texts().indexed(string), clause.texts().indexed(searched), index);
    }
    return index;
  }

  /** Compares the last bytes that were read, as one number, with the pattern. */
  private void search(Text text, byte[] pattern, Register index) {
    Register window = code.fresh();
    Register wanted = code.fresh();
    Register mask = code.fresh();
    Label head = code.label("byte");
    Label missing = code.label("missing");
    Label end = code.label("searched");
    boolean isWhole = pattern.length == Long.BYTES;
    code.constant(wanted, bigEndian(pattern));
    if (!isWhole) {
      code.constant(mask, (1L << (pattern.length * Byte.SIZE)) - 1);
    }
    code.move(window, new Immediate(0));
    code.move(index, new Immediate(0));
    code.place(head);
    code.jump(Width.W64, JumpOp.JGE, index, new Immediate(text.size()), missing);
    Register next = load(text, index);
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0), missing);
    code.alu(Width.W64, AluOp.LSH, window, Byte.SIZE);
    code.alu(Width.W64, AluOp.OR, window, next);
    if (!isWhole) {
      code.alu(Width.W64, AluOp.AND, window, mask);
    }
    code.alu(Width.W64, AluOp.ADD, index, 1);
    code.jump(Width.W64, JumpOp.JNE, window, wanted, head);
    code.alu(Width.W64, AluOp.SUB, index, pattern.length);
    code.jump(end);
    code.place(missing);
    code.move(index, new Immediate(-1));
    code.place(end);
  }

  private static long bigEndian(byte[] bytes) {
    long number = 0;
    for (byte value : bytes) {
      number = (number << Byte.SIZE) | (value & 0xff);
    }
    return number;
  }

  /** Compares at each byte of the string from there on. */
  private void search(Text text, Text searched, Register index) {
    Register length = code.fresh();
    Label head = code.label("start");
    Label compared = code.label("byte");
    Label next = code.label("next");
    Label missing = code.label("missing");
    Label end = code.label("searched");
    code.move(index, new Immediate(0));
    code.place(head);
    code.jump(Width.W64, JumpOp.JGE, index, new Immediate(text.size()), missing);
    code.move(length, new Immediate(0));
    code.place(compared);
    code.jump(Width.W64, JumpOp.JGE, length, new Immediate(searched.size()), end);
    Register wanted = load(searched, length);
    code.jump(Width.W64, JumpOp.JEQ, wanted, new Immediate(0), end);
    Register at = code.fresh();
    code.move(at, index);
    code.alu(Width.W64, AluOp.ADD, at, length);
    code.jump(Width.W64, JumpOp.JGE, at, new Immediate(text.size()), missing);
    code.jump(Width.W64, JumpOp.JNE, load(text, at), wanted, next);
    code.alu(Width.W64, AluOp.ADD, length, 1);
    code.jump(compared);
    code.place(next);
    code.jump(Width.W64, JumpOp.JEQ, load(text, index), new Immediate(0), missing);
    code.alu(Width.W64, AluOp.ADD, index, 1);
    code.jump(head);
    code.place(missing);
    code.move(index, new Immediate(-1));
    code.place(end);
  }

  /** Loads the byte at an index, which has been checked. */
  private Register load(Text text, Register index) {
    Register value = code.fresh();
    Register address = code.fresh();
    code.move(address, text.place().base());
    code.alu(Width.W64, AluOp.ADD, address, index);
    code.load(Size.B, value, new Place(address, text.place().offset()));
    return value;
  }

  private static byte[] bytes(Expr.StringLiteral literal) {
    int end = literal.value().indexOf('\0');
    return TextBytes.encode(end < 0 ? literal.value() : literal.value().substring(0, end));
  }
}
