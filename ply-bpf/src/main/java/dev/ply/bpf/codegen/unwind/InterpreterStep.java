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
import dev.ply.bpf.unwind.HotSpotCode;
import dev.ply.bpf.unwind.InterpretedMethod;
import dev.ply.bpf.unwind.UnwindRule;

/**
 * Compiles how the caller of a frame of HotSpot's interpreter is found, and which method it runs:
 * it keeps both beside the frame pointer (frame_x86.hpp, frame_aarch64.hpp).
 */
final class InterpreterStep {
  /** Where the interpreter keeps what, in words from the frame pointer. */
  private static final int BYTECODE = -8;

  private static final int METHOD = -3;

  /** Where the caller's frame ended before arguments were pushed. */
  private static final int SENDER = -1;

  private static final int RETURN_ADDRESS = 1;

  private static final int WORDS = RETURN_ADDRESS - BYTECODE + 1;

  private final CodeBuilder code;
  private final FrameRegisters frame;
  private final Place words;

  InterpreterStep(CodeBuilder code, Memory memory, FrameRegisters frame) {
    this.code = code;
    this.frame = frame;
    this.words = memory.allocate(WORDS * UnwindRule.WORD);
  }

  /** What is found of the caller. */
  record Caller(Register cfa, Register frame, Register address) {}

  /** Replaces the frame's address among those that are recorded. */
  interface Recorded {
    /** Emits the store of a word. */
    void replace(Register word);
  }

  /**
   * Emits the step.
   *
   * @param heap the words of {@link HotSpotCode}
   */
  void step(Register heap, Caller caller, Recorded recorded, Label enter, Label noTable) {
    code.jump(Width.W64, JumpOp.JLT, frame.fp(), frame.sp(), noTable);
    read(words, WORDS, frame.fp(), BYTECODE * UnwindRule.WORD, noTable);
    Register method = code.fresh();
    Register index = code.fresh();
    load(method, METHOD);
    code.alu(Width.W64, AluOp.LSH, method, Long.SIZE - InterpretedMethod.ADDRESS_BITS);
    code.alu(Width.W64, AluOp.RSH, method, Long.SIZE - InterpretedMethod.ADDRESS_BITS);
    index(heap, method, index);
    code.alu(Width.W64, AluOp.OR, index, 1 << (Long.SIZE - InterpretedMethod.ADDRESS_BITS - 1));
    code.alu(Width.W64, AluOp.LSH, index, InterpretedMethod.ADDRESS_BITS);
    code.alu(Width.W64, AluOp.OR, method, index);
    recorded.replace(method);
    load(caller.cfa(), SENDER);
    load(caller.frame(), 0);
    load(caller.address(), RETURN_ADDRESS);
    code.jump(enter);
  }

  /**
   * The innermost frame has its own in a register, and where it last called something in memory. A
   * register that holds something else has no bytecode of the method.
   */
  private void index(Register heap, Register method, Register index) {
    Label known = code.label("bytecode");
    Label unknown = code.label("no_bytecode");
    Register offset = code.fresh();
    Place read = new Place(words.base(), words.offset());
    Label caller = code.label("caller");
    Label running = code.label("running");
    code.jump(Width.W64, JumpOp.JNE, frame.back(), new Immediate(0), caller);
    code.move(index, frame.bytecode(unknown));
    code.jump(running);
    code.place(caller);
    load(index, BYTECODE);
    code.place(running);
    code.load(Size.DW, offset, new Place(heap, HotSpotCode.CONST_METHOD * Long.BYTES));
    code.alu(Width.W64, AluOp.ADD, offset, method);
    read(read, 1, offset, 0, unknown);
    code.load(Size.DW, offset, read);
    code.alu(Width.W64, AluOp.SUB, index, offset);
    code.load(Size.DW, offset, new Place(heap, HotSpotCode.BYTECODES * Long.BYTES));
    code.alu(Width.W64, AluOp.SUB, index, offset);
    code.jump(
        Width.W64, JumpOp.JLT, index, new Immediate(InterpretedMethod.UNKNOWN_BYTECODE), known);
    code.place(unknown);
    code.constant(index, InterpretedMethod.UNKNOWN_BYTECODE);
    code.place(known);
  }

  private void load(Register to, int word) {
    code.load(
        Size.DW, to, new Place(words.base(), words.offset() + (word - BYTECODE) * UnwindRule.WORD));
  }

  private void read(Place to, int count, Register base, int offset, Label unreadable) {
    Register result =
        code.callForResult(
            Helper.PROBE_READ_USER,
            code.address(to),
            code.value(count * UnwindRule.WORD),
            code.address(new Place(base, offset)));
    code.jump(Width.W64, JumpOp.JNE, result, new Immediate(0), unreadable);
  }
}
