package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.unwind.UnwindRule;
import java.util.Optional;

/**
 * Finds a return address of x86-64 on the stack by what is before it: a call. For the innermost
 * frame, of code that has pushed something that nobody describes.
 */
final class ReturnAddress {
  private static final int CALL = 0xe8;
  private static final int INDIRECT_CALL = 0xff;

  /** How far before the return address calls by an address begin, with their operands. */
  private static final int[] INDIRECT_LENGTHS = {2, 3, 6};

  private static final int CALL_LENGTH = 5;

  private final CodeBuilder code;
  private final Place read;
  private final Optional<Range> interpreter;

  /** Code that is returned to where no call is before it. */
  record Range(Register low, Register high) {}

  ReturnAddress(CodeBuilder code, Memory memory, Optional<Range> interpreter) {
    this.code = code;
    this.read = memory.allocate(Long.BYTES);
    this.interpreter = interpreter;
  }

  /**
   * Raises an address, word by word, until the word below it is a return address.
   *
   * @param above the address; unchanged if there is none
   * @param words how many words are tried
   */
  void search(Register above, int words, Label found) {
    Register candidate = code.fresh();
    Register round = code.fresh();
    Label head = code.label("candidate");
    Label accepted = code.label("accepted");
    Label next = code.label("next_word");
    Label none = code.label("no_return");
    code.move(candidate, above);
    code.constant(round, 0);
    code.place(head);
    test(candidate, accepted, next);
    code.place(next);
    code.alu(Width.W64, AluOp.ADD, candidate, UnwindRule.WORD);
    code.alu(Width.W64, AluOp.ADD, round, 1);
    code.jump(Width.W64, JumpOp.JLT, round, new Immediate(words), head);
    code.jump(none);
    code.place(accepted);
    code.move(above, candidate);
    code.jump(found);
    code.place(none);
  }

  private void test(Register above, Label isReturn, Label isOther) {
    Register address = code.fresh();
    Register before = code.fresh();
    Register part = code.fresh();
    load(address, new Place(above, -UnwindRule.WORD), isOther);
    interpreter.ifPresent(range -> test(address, range, isReturn));
    load(before, new Place(address, -Long.BYTES), isOther);
    test(before, part, CALL_LENGTH, CALL, isReturn);
    for (int length : INDIRECT_LENGTHS) {
      test(before, part, length, INDIRECT_CALL, isReturn);
    }
  }

  private void test(Register before, Register part, int length, int wanted, Label isReturn) {
    code.move(part, before);
    code.alu(Width.W64, AluOp.RSH, part, (Long.BYTES - length) * Byte.SIZE);
    code.alu(Width.W64, AluOp.AND, part, 0xff);
    code.jump(Width.W64, JumpOp.JEQ, part, new Immediate(wanted), isReturn);
  }

  private void test(Register address, Range range, Label isReturn) {
    Label outside = code.label("outside");
    code.jump(Width.W64, JumpOp.JLT, address, range.low(), outside);
    code.jump(Width.W64, JumpOp.JLT, address, range.high(), isReturn);
    code.place(outside);
  }

  private void load(Register to, Place from, Label unreadable) {
    Register result =
        code.callForResult(
            Helper.PROBE_READ_USER, code.address(read), code.value(Long.BYTES), code.address(from));
    code.jump(Width.W64, JumpOp.JNE, result, new Immediate(0), unreadable);
    code.load(Size.DW, to, read);
  }
}
