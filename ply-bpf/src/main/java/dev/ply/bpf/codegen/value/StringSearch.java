package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Texts.Text;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.type.BytePattern;
import dev.ply.type.TextBytes;

/**
 * Compiles loops over the bytes of strings. Their bounds are constants, so that the verifier sees
 * that they end.
 */
public final class StringSearch {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates searches of strings of a clause. */
  public StringSearch(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Computes the number of bytes before the NUL. */
  public ScalarCode length(Expr string) {
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
  public Register index(Expr string, Expr searched) {
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

  /**
   * Computes whether a string matches a pattern. The step from one byte to the next has no branch:
   * the verifier would follow each combination of them.
   */
  public Register matches(Expr string, BytePattern pattern) {
    Text text = clause.texts().indexed(string);
    Register index = code.fresh();
    Register states = code.fresh();
    Label head = code.label("byte");
    Label end = code.label("matched");
    code.move(states, new Immediate(1));
    code.move(index, new Immediate(0));
    code.place(head);
    code.jump(Width.W64, JumpOp.JGE, index, new Immediate(text.size()), end);
    Register next = load(text, index);
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0), end);
    step(states, next, pattern);
    code.alu(Width.W64, AluOp.ADD, index, 1);
    code.jump(head);
    code.place(end);
    code.alu(Width.W64, AluOp.RSH, states, pattern.elements());
    code.alu(Width.W64, AluOp.AND, states, 1);
    return states;
  }

  /** Follows {@link BytePattern} by one byte. */
  private void step(Register states, Register next, BytePattern pattern) {
    Register matching = code.fresh();
    code.constant(matching, pattern.masks().getOrDefault(BytePattern.Range.ALL, 0L));
    pattern
        .masks()
        .forEach(
            (range, mask) -> {
              if (!range.equals(BytePattern.Range.ALL)) {
                Register isOutside = outside(next, range);
                Register elements = code.fresh();
                code.constant(elements, mask);
                code.alu(Width.W64, AluOp.XOR, isOutside, -1);
                code.alu(Width.W64, AluOp.AND, elements, isOutside);
                code.alu(Width.W64, AluOp.OR, matching, elements);
              }
            });
    Register kept = code.fresh();
    code.constant(kept, pattern.stars());
    code.alu(Width.W64, AluOp.AND, kept, states);
    code.alu(Width.W64, AluOp.AND, states, matching);
    code.alu(Width.W64, AluOp.LSH, states, 1);
    code.alu(Width.W64, AluOp.OR, states, kept);
  }

  /** Computes -1 for a byte outside of a range, else 0: of the differences, one is negative. */
  private Register outside(Register value, BytePattern.Range range) {
    Register above = code.fresh();
    Register below = code.fresh();
    code.move(below, value);
    code.alu(Width.W64, AluOp.SUB, below, range.first());
    code.move(above, new Immediate(range.last()));
    code.alu(Width.W64, AluOp.SUB, above, value);
    code.alu(Width.W64, AluOp.OR, below, above);
    code.alu(Width.W64, AluOp.ARSH, below, Long.SIZE - 1);
    return below;
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
