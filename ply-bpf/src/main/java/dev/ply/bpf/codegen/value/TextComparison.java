package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.Texts.Text;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.type.TextBytes;
import java.util.Optional;

/** Compiles comparisons of strings and of bytes in memory. */
final class TextComparison {
  private final CodeBuilder code;

  TextComparison(CodeBuilder code) {
    this.code = code;
  }

  /**
   * Jumps if a string differs from a constant; compares by the widest loads, up to its NUL.
   *
   * @param length the maximum number of bytes to compare
   */
  void jumpIfDifferent(Text text, Expr.StringLiteral literal, int length, Label differ) {
    byte[] constant = comparedBytes(literal);
    // A full array needs no NUL to be a string; a padded one has one.
    int longest = text.padded() ? text.size() - 1 : text.size();
    if (Math.min(constant.length, length) > longest) {
      code.jump(differ);
      return;
    }
    int needed = Math.min(constant.length + 1, text.size());
    int compared = text.padded() ? Math.min(text.size(), (needed + 7) & -8) : needed;
    if (length <= constant.length) {
      compared = length;
    }
    int done = 0;
    while (done < compared) {
      Place at = text.place().plus(done);
      int chunk = CodeBuilder.chunk(at.alignment(), compared - done);
      long expected = code.word(constant, done, chunk);
      Register word = code.fresh();
      code.load(Size.ofBytes(chunk), word, at);
      code.jump(
          chunk == 8 ? Width.W64 : Width.W32, JumpOp.JNE, word, constant(expected, chunk), differ);
      done += chunk;
    }
  }

  private Operand constant(long value, int bytes) {
    if (bytes < 8 || value == (int) value) {
      return new Immediate((int) value);
    }
    Register register = code.fresh();
    code.constant(register, value);
    return register;
  }

  /**
   * Jumps if two strings differ.
   *
   * @param length the maximum number of bytes to compare
   */
  void jumpIfDifferent(Text a, Text b, int length, Label differ) {
    int shorter = Math.min(a.size(), b.size());
    int size = Math.min(shorter, length);
    boolean words = a.padded() && b.padded();
    Label equal = code.label("equal");
    int done = 0;
    while (done < size) {
      int chunk = words ? chunk(a, b, done, size) : 1;
      Register left = code.fresh();
      Register right = code.fresh();
      code.load(Size.ofBytes(chunk), left, a.place().plus(done));
      code.load(Size.ofBytes(chunk), right, b.place().plus(done));
      code.jump(Width.W64, JumpOp.JNE, left, right, differ);
      if (!words) {
        code.jump(Width.W64, JumpOp.JEQ, left, new Immediate(0), equal);
      }
      done += chunk;
    }
    if (length > shorter) {
      longerRest(a, b)
          .ifPresent(rest -> code.jump(Width.W64, JumpOp.JNE, rest, new Immediate(0), differ));
    }
    code.place(equal);
  }

  /**
   * Returns the byte of the longer string at which the shorter one ends without NUL: they are equal
   * only if it is NUL.
   */
  private Optional<Register> longerRest(Text a, Text b) {
    boolean aIsShorter = a.size() < b.size();
    Text shorter = aIsShorter ? a : b;
    Text longer = aIsShorter ? b : a;
    if (shorter.padded() || a.size() == b.size()) {
      return Optional.empty();
    }
    Register rest = code.fresh();
    code.load(Size.B, rest, longer.place().plus(shorter.size()));
    return Optional.of(rest);
  }

  /** Returns 0 if two strings are equal, else 1 or -1, their order by bytes. */
  ScalarCode order(Text a, Text b) {
    int size = Math.min(a.size(), b.size());
    boolean words = a.padded() && b.padded();
    Register result = code.fresh();
    Register x = code.fresh();
    Register y = code.fresh();
    Label differ = code.label("differ");
    Label end = code.label("compared");
    code.constant(result, 0);
    int done = 0;
    while (done < size) {
      int chunk = words ? chunk(a, b, done, size) : 1;
      code.load(Size.ofBytes(chunk), x, a.place().plus(done));
      code.load(Size.ofBytes(chunk), y, b.place().plus(done));
      code.jump(Width.W64, JumpOp.JNE, x, y, differ);
      if (!words) {
        code.jump(Width.W64, JumpOp.JEQ, x, new Immediate(0), end);
      }
      done += chunk;
    }
    longerRest(a, b)
        .ifPresent(
            rest -> {
              code.jump(Width.W64, JumpOp.JEQ, rest, new Immediate(0), end);
              code.constant(result, a.size() > size ? 1 : -1);
            });
    code.jump(end);
    code.place(differ);
    order(x, y, result, end);
    return new ScalarCode.InRegister(result);
  }

  /**
   * Returns 0 if the first bytes are equal, else 1 or -1, their order; NULs are bytes as others.
   */
  ScalarCode orderOfBytes(Text a, Text b, int size) {
    Register result = code.fresh();
    Register x = code.fresh();
    Register y = code.fresh();
    Label differ = code.label("differ");
    Label end = code.label("compared");
    code.constant(result, 0);
    int done = 0;
    while (done < size) {
      int chunk = chunk(a, b, done, size);
      code.load(Size.ofBytes(chunk), x, a.place().plus(done));
      code.load(Size.ofBytes(chunk), y, b.place().plus(done));
      code.jump(Width.W64, JumpOp.JNE, x, y, differ);
      done += chunk;
    }
    code.jump(end);
    code.place(differ);
    order(x, y, result, end);
    return new ScalarCode.InRegister(result);
  }

  /** Sets {@code result} to 1 or -1 for the order of different words in memory. */
  private void order(Register x, Register y, Register result, Label end) {
    // The first different byte decides: compare doublewords as big-endian numbers.
    code.emit(new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 64, x));
    code.emit(new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 64, y));
    code.constant(result, 1);
    code.jump(Width.W64, JumpOp.JGT, x, y, end);
    code.constant(result, -1);
    code.place(end);
  }

  private static int chunk(Text a, Text b, int done, int size) {
    int alignment = Math.min(a.place().plus(done).alignment(), b.place().plus(done).alignment());
    return CodeBuilder.chunk(alignment, size - done);
  }

  /** Returns the bytes that comparisons use: those before the first NUL. */
  private static byte[] comparedBytes(Expr.StringLiteral literal) {
    int end = literal.value().indexOf('\0');
    return TextBytes.encode(end < 0 ? literal.value() : literal.value().substring(0, end));
  }
}
