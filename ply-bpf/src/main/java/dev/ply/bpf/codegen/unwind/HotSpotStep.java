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
import dev.ply.bpf.unwind.UnwindRule;
import java.util.Optional;

/**
 * Compiles how the caller of code of a HotSpot runtime is found: what a frame of compiled code has
 * is a matter of its size, as its frame pointer is a register like others.
 */
final class HotSpotStep {
  /** The distances that are followed to the first segment of a blob, each of up to 254 segments. */
  private static final int MOST_DISTANCES = 8;

  private static final int UNUSED = 0xff;

  /** Where the caller's frame pointer and the return address are, in bytes below the CFA. */
  private static final int SAVED = 2 * UnwindRule.WORD;

  /** The words above which a return address is looked for, of a method and of a stub. */
  private static final int MOST_PUSHED = 3;

  private static final int MOST_ON_ENTRY = 2;
  private static final int MOST_OF_STUB = 8;

  /** No method has a frame of so many words. */
  private static final int LARGEST_FRAME = 1 << 17;

  private final CodeBuilder code;
  private final Memory memory;
  private final FrameRegisters frame;
  private final Register cfa;
  private final Register saved;
  private final ReturnAddress addresses;

  /** The bounds of the interpreter. */
  private final Register low;

  private final Register high;

  /**
   * Prepares the step.
   *
   * @param cfa is set to the caller's frame address
   * @param saved is set to where the caller's frame pointer is saved
   */
  HotSpotStep(CodeBuilder code, Memory memory, FrameRegisters frame, Register cfa, Register saved) {
    this.code = code;
    this.memory = memory;
    this.frame = frame;
    this.cfa = cfa;
    this.saved = saved;
    this.low = code.fresh();
    this.high = code.fresh();
    this.addresses =
        new ReturnAddress(code, memory, Optional.of(new ReturnAddress.Range(low, high)));
  }

  /**
   * Where to go.
   *
   * @param stored when the caller's frame pointer is saved, the return address above it
   * @param returning when the frame pointer is still the caller's, the return address below the CFA
   */
  record Labels(
      Label stored,
      Label returning,
      Label interpreted,
      Label byFramePointer,
      Label noTable,
      Label unreadable) {}

  /** Emits the step, from the words of {@link HotSpotCode}. */
  void step(Register heap, Labels labels) {
    Register pc = code.fresh();
    Label compiled = code.label("compiled");
    code.move(pc, frame.pc());
    code.alu(Width.W64, AluOp.SUB, pc, frame.back());
    load(low, heap, HotSpotCode.INTERPRETER_LOW);
    load(high, heap, HotSpotCode.INTERPRETER_HIGH);
    code.jump(Width.W64, JumpOp.JLT, pc, low, compiled);
    code.jump(Width.W64, JumpOp.JLT, pc, high, labels.interpreted());
    code.place(compiled);
    if (!frame.hasLink()) {
      unfinished(labels);
    }
    Register size = frameSize(heap, pc, labels);
    Label stub = code.label("stub");
    code.jump(Width.W64, JumpOp.JEQ, size, new Immediate(0), stub);
    code.jump(Width.W64, JumpOp.JGT, size, new Immediate(LARGEST_FRAME), labels.noTable());
    code.alu(Width.W64, AluOp.LSH, size, 3);
    code.move(cfa, frame.sp());
    code.alu(Width.W64, AluOp.ADD, cfa, size);
    Label sized = code.label("sized");
    Label entering = code.label("entering");
    Register above = code.fresh();
    if (!frame.hasLink()) {
      code.jump(Width.W64, JumpOp.JNE, frame.back(), new Immediate(0), sized);
      // Some instructions of the compiler's repertoire push a register or two.
      addresses.search(cfa, MOST_PUSHED, sized);
      // Before its frame is made, a method checks its receiver.
      code.move(above, frame.sp());
      code.alu(Width.W64, AluOp.ADD, above, UnwindRule.WORD);
      addresses.search(above, MOST_ON_ENTRY, entering);
    }
    code.place(sized);
    code.move(saved, cfa);
    code.alu(Width.W64, AluOp.ADD, saved, -SAVED);
    code.jump(labels.stored());
    code.place(entering);
    code.move(cfa, above);
    code.jump(labels.returning());
    code.place(stub);
    if (!frame.hasLink()) {
      code.jump(Width.W64, JumpOp.JNE, frame.back(), new Immediate(0), labels.byFramePointer());
      stub(labels);
    }
    code.jump(labels.byFramePointer());
  }

  /**
   * Emits what finds the caller of a stub that runs: most have a frame pointer, others use the
   * register for something else, and have few words on the stack.
   */
  private void stub(Labels labels) {
    Label other = code.label("without_frame");
    code.jump(Width.W64, JumpOp.JLT, frame.fp(), frame.sp(), other);
    code.move(cfa, frame.fp());
    code.alu(Width.W64, AluOp.ADD, cfa, SAVED);
    addresses.search(cfa, 1, labels.byFramePointer());
    code.place(other);
    code.move(cfa, frame.sp());
    code.alu(Width.W64, AluOp.ADD, cfa, UnwindRule.WORD);
    addresses.search(cfa, MOST_OF_STUB, labels.returning());
  }

  private Register frameSize(Register heap, Register pc, Labels labels) {
    Register begin = code.fresh();
    Register shift = code.fresh();
    Register segment = code.fresh();
    Register segments = code.fresh();
    Register distance = code.fresh();
    Register rounds = code.fresh();
    Place read = memory.allocate(Long.BYTES);
    Label head = code.label("segment");
    Label first = code.label("blob");
    load(begin, heap, HotSpotCode.LOW);
    load(shift, heap, HotSpotCode.SEGMENT_SHIFT);
    load(segments, heap, HotSpotCode.SEGMENTS);
    code.alu(Width.W64, AluOp.AND, shift, 31);
    code.move(segment, pc);
    code.alu(Width.W64, AluOp.SUB, segment, begin);
    code.alu(Width.W64, AluOp.RSH, segment, shift);
    code.alu(Width.W64, AluOp.ADD, segments, segment);
    code.constant(rounds, 0);
    code.place(head);
    read(read, 1, segments, 0, labels.unreadable());
    code.load(Size.B, distance, read);
    code.jump(Width.W64, JumpOp.JEQ, distance, new Immediate(0), first);
    code.jump(Width.W64, JumpOp.JEQ, distance, new Immediate(UNUSED), labels.noTable());
    code.alu(Width.W64, AluOp.SUB, segments, distance);
    code.alu(Width.W64, AluOp.ADD, rounds, 1);
    code.jump(Width.W64, JumpOp.JLT, rounds, new Immediate(MOST_DISTANCES), head);
    code.jump(labels.noTable());
    code.place(first);
    Register map = code.fresh();
    load(map, heap, HotSpotCode.SEGMENTS);
    code.alu(Width.W64, AluOp.SUB, segments, map);
    code.alu(Width.W64, AluOp.LSH, segments, shift);
    code.alu(Width.W64, AluOp.ADD, segments, begin);
    Register offset = code.fresh();
    load(offset, heap, HotSpotCode.FRAME_SIZE);
    code.alu(Width.W64, AluOp.ADD, segments, offset);
    read(read, Integer.BYTES, segments, 0, labels.unreadable());
    Register size = code.fresh();
    code.load(Size.W, size, read);
    return size;
  }

  /**
   * Emits what finds the caller of a thread that is just entering or leaving a method of x86-64, by
   * the next instruction: its frame has not got its size yet, or no longer.
   */
  private void unfinished(Labels labels) {
    Label finished = code.label("finished");
    Label whole = code.label("no_frame");
    Label pushed = code.label("pushed");
    code.jump(Width.W64, JumpOp.JNE, frame.back(), new Immediate(0), finished);
    Place read = memory.allocate(Long.BYTES);
    Register at = code.fresh();
    code.move(at, frame.pc());
    read(read, Long.BYTES, at, -1, finished);
    // The byte before, and seven of the next instruction.
    Register bytes = code.fresh();
    Register next = code.fresh();
    Register last = code.fresh();
    code.load(Size.DW, bytes, read);
    code.move(next, bytes);
    code.alu(Width.W64, AluOp.RSH, next, 8);
    code.alu(Width.W64, AluOp.AND, next, 0xff);
    // ret; push %rbp; pop %rbp
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0xc3), whole);
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0x55), whole);
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0x5d), pushed);
    code.move(next, bytes);
    code.alu(Width.W64, AluOp.LSH, next, 32);
    code.alu(Width.W64, AluOp.RSH, next, 40);
    // mov %eax,-N(%rsp): touches the pages of the stack
    Label poll = code.label("poll");
    code.jump(Width.W64, JumpOp.JNE, next, new Immediate(0x248489), poll);
    code.jump(Width.W64, JumpOp.JSLT, bytes, new Immediate(0), whole);
    code.place(poll);
    // cmp N(%r15),%rsp: before a return
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0x673b49), whole);
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0xa73b49), whole);
    // ja N; ret
    Label subtraction = code.label("subtraction");
    code.move(last, next);
    code.alu(Width.W64, AluOp.AND, last, 0xffff);
    code.jump(Width.W64, JumpOp.JNE, last, new Immediate(0x870f), subtraction);
    code.move(last, bytes);
    code.alu(Width.W64, AluOp.RSH, last, 56);
    code.jump(Width.W64, JumpOp.JEQ, last, new Immediate(0xc3), whole);
    code.place(subtraction);
    // sub $N,%rsp, after push %rbp or without it
    Label subtracting = code.label("subtracting");
    code.jump(Width.W64, JumpOp.JEQ, next, new Immediate(0xec8348), subtracting);
    code.jump(Width.W64, JumpOp.JNE, next, new Immediate(0xec8148), finished);
    code.place(subtracting);
    code.alu(Width.W64, AluOp.AND, bytes, 0xff);
    code.jump(Width.W64, JumpOp.JEQ, bytes, new Immediate(0x55), pushed);
    code.place(whole);
    code.move(cfa, frame.sp());
    code.alu(Width.W64, AluOp.ADD, cfa, UnwindRule.WORD);
    code.jump(labels.returning());
    code.place(pushed);
    code.move(cfa, frame.sp());
    code.move(saved, cfa);
    code.alu(Width.W64, AluOp.ADD, cfa, SAVED);
    code.jump(labels.stored());
    code.place(finished);
  }

  private void load(Register to, Register heap, int word) {
    code.load(Size.DW, to, new Place(heap, word * Long.BYTES));
  }

  private void read(Place to, int size, Register base, int offset, Label unreadable) {
    Register result =
        code.callForResult(
            Helper.PROBE_READ_USER,
            code.address(to),
            code.value(size),
            code.address(new Place(base, offset)));
    code.jump(Width.W64, JumpOp.JNE, result, new Immediate(0), unreadable);
  }
}
