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
import dev.ply.bpf.unwind.SignalFrame;
import dev.ply.bpf.unwind.UnwindEnd;
import dev.ply.bpf.unwind.UnwindRule;
import dev.ply.bpf.unwind.UnwindRule.Kind;
import dev.ply.bpf.unwind.Unwinder;
import java.util.Optional;

/** Compiles the step from a frame to its caller: what {@link Unwinder} does. */
final class FrameStep {
  private final CodeBuilder code;
  private final Memory memory;
  private final FrameRegisters frame;
  private final boolean hasLink;
  private final SignalFrame signalFrame;
  private final RowSearch search;
  private final Place word;

  /** The caller's frame address, frame pointer and return address. */
  private final Register cfa;

  private final Register callersFrame;
  private final Register caller;

  FrameStep(CodeBuilder code, Memory memory, FrameRegisters frame) {
    this.code = code;
    this.memory = memory;
    this.frame = frame;
    this.hasLink = frame.hasLink();
    this.signalFrame = SignalFrame.of(hasLink);
    this.search = new RowSearch(code, memory);
    this.word = memory.allocate(Long.BYTES);
    this.cfa = code.fresh();
    this.callersFrame = code.fresh();
    this.caller = code.fresh();
  }

  /**
   * Emits the step.
   *
   * @param mappings of the process
   * @param recorded the frame's address, which stands for another frame if the interpreter runs it
   * @param next the label for when the frame is the caller's
   * @param complete the label for when there is no caller
   * @param lost the label for when it is unknown, with a marker in the frame
   */
  void step(
      RowSearch.Mappings mappings,
      InterpreterStep.Recorded recorded,
      Label next,
      Label complete,
      Label lost) {
    Label enter = code.label("enter");
    Label moved = code.label("moved");
    Label framed = code.label("framed");
    Label linked = code.label("linked");
    Label returning = code.label("return");
    Label noMapping = code.label("no_mapping");
    Label noTable = code.label("no_table");
    Label byFramePointer = code.label("frame_pointer");
    Label unreadable = code.label("unreadable");
    Label hotSpot = code.label("hotspot");
    Label interpreted = code.label("interpreted");
    Label stored = code.label("stored");
    Register address = code.fresh();
    code.move(address, frame.pc());
    code.alu(Width.W64, AluOp.SUB, address, frame.back());
    Register rule =
        search.rule(
            mappings, address, new RowSearch.Missing(noMapping, byFramePointer, hotSpot, noTable));

    Register kind = code.fresh();
    code.move(kind, rule);
    code.alu(Width.W64, AluOp.RSH, kind, UnwindRule.KIND_SHIFT);
    Register offset = code.fresh();
    code.move(offset, rule);
    code.alu(Width.W64, AluOp.LSH, offset, Long.SIZE - UnwindRule.SAVED_SHIFT);
    code.alu(Width.W64, AluOp.ARSH, offset, Long.SIZE - UnwindRule.SAVED_SHIFT);
    code.alu(Width.W64, AluOp.LSH, offset, 3);
    Register saved = code.fresh();
    code.move(saved, rule);
    code.alu(Width.W64, AluOp.RSH, saved, UnwindRule.SAVED_SHIFT);
    code.alu(Width.W64, AluOp.AND, saved, UnwindRule.AT_REGISTER);
    Register base = code.fresh();
    code.move(callersFrame, frame.fp());
    code.move(base, frame.sp());
    code.move(cfa, base);
    code.alu(Width.W64, AluOp.ADD, cfa, offset);
    jump(kind, Kind.SP, framed);
    if (hasLink) {
      jump(kind, Kind.SP_LINK_SAVED, linked);
    }
    code.move(base, frame.fp());
    code.move(cfa, base);
    code.alu(Width.W64, AluOp.ADD, cfa, offset);
    jump(kind, Kind.FP, framed);
    if (hasLink) {
      jump(kind, Kind.FP_LINK_SAVED, linked);
    }
    special(kind, rule, offset, base, new Labels(framed, returning, noTable, unreadable));
    inRegister(kind, offset, moved, unreadable);
    jump(kind, Kind.END, complete);
    signal(kind, next, unreadable);
    end(UnwindEnd.UNSUPPORTED, lost);

    if (hasLink) {
      code.place(linked);
      saved(saved, base);
      read(caller, new Place(saved, 0), unreadable);
      code.jump(enter);
    }
    code.place(framed);
    if (!hasLink) {
      code.jump(Width.W64, JumpOp.JEQ, saved, new Immediate(0), returning);
    }
    saved(saved, base);
    code.place(stored);
    read(callersFrame, new Place(saved, 0), unreadable);
    code.place(returning);
    read(
        caller,
        hasLink ? new Place(saved, UnwindRule.WORD) : new Place(cfa, -UnwindRule.WORD),
        unreadable);
    code.place(enter);
    code.jump(Width.W64, hasLink ? JumpOp.JLT : JumpOp.JLE, cfa, frame.sp(), unreadable);
    code.place(moved);
    code.move(frame.sp(), cfa);
    code.move(frame.fp(), callersFrame);
    code.move(frame.pc(), caller);
    if (hasLink) {
      code.alu(Width.W64, AluOp.LSH, frame.pc(), 16);
      code.alu(Width.W64, AluOp.RSH, frame.pc(), 16);
    }
    code.constant(frame.back(), 1);
    code.jump(Width.W64, JumpOp.JEQ, frame.pc(), new Immediate(0), complete);
    code.jump(next);

    code.place(byFramePointer);
    code.jump(Width.W64, JumpOp.JLT, frame.fp(), frame.sp(), noTable);
    read(callersFrame, new Place(frame.fp(), 0), noTable);
    read(caller, new Place(frame.fp(), UnwindRule.WORD), noTable);
    code.move(cfa, frame.fp());
    code.alu(Width.W64, AluOp.ADD, cfa, 2 * UnwindRule.WORD);
    code.jump(enter);
    code.place(hotSpot);
    code.move(callersFrame, frame.fp());
    Register heap = search.first(noTable);
    new HotSpotStep(code, memory, frame, cfa, saved)
        .step(
            heap,
            new HotSpotStep.Labels(
                stored, returning, interpreted, byFramePointer, noTable, unreadable));
    code.place(interpreted);
    new InterpreterStep(code, memory, frame)
        .step(
            heap, new InterpreterStep.Caller(cfa, callersFrame, caller), recorded, enter, noTable);
    code.place(noMapping);
    end(UnwindEnd.NO_MAPPING, lost);
    code.place(noTable);
    end(UnwindEnd.NO_TABLE, lost);
    code.place(unreadable);
    end(UnwindEnd.UNREADABLE, lost);
  }

  private record Labels(Label framed, Label returning, Label noTable, Label unreadable) {}

  /** Emits the kinds that are rare; base is the frame pointer. */
  private void special(
      Register kind, Register rule, Register offset, Register base, Labels labels) {
    if (hasLink) {
      jump(kind, Kind.MISSING, labels.noTable());
      return;
    }
    Label described = code.label("described");
    code.jump(Width.W64, JumpOp.JNE, kind, number(Kind.MISSING), described);
    code.jump(Width.W64, JumpOp.JNE, frame.back(), new Immediate(0), labels.noTable());
    // A function of an assembler, perhaps one that pushes nothing.
    code.move(cfa, frame.sp());
    code.alu(Width.W64, AluOp.ADD, cfa, UnwindRule.WORD);
    new ReturnAddress(code, memory, Optional.empty()).search(cfa, 1, labels.returning());
    code.jump(labels.noTable());
    code.place(described);
    Label stub = code.label("stub");
    Label indirect = code.label("indirect");
    Label other = code.label("other");
    jump(kind, Kind.PLT, stub);
    jump(kind, Kind.FP_INDIRECT, indirect);
    code.jump(Width.W64, JumpOp.JNE, kind, number(Kind.SP_INDIRECT), other);
    code.move(base, frame.sp());
    code.alu(Width.W64, AluOp.ADD, offset, base);
    read(cfa, new Place(offset, 0), labels.unreadable());
    code.alu(Width.W64, AluOp.ADD, cfa, UnwindRule.WORD);
    code.jump(labels.framed());

    code.place(indirect);
    code.alu(Width.W64, AluOp.ADD, offset, base);
    read(cfa, new Place(offset, 0), labels.unreadable());
    read(callersFrame, new Place(base, 0), labels.unreadable());
    code.jump(labels.returning());

    code.place(stub);
    Register instruction = code.fresh();
    code.move(instruction, frame.pc());
    code.alu(Width.W64, AluOp.AND, instruction, 15);
    code.alu(Width.W64, AluOp.AND, rule, 15);
    code.move(cfa, frame.sp());
    code.alu(Width.W64, AluOp.ADD, cfa, UnwindRule.WORD);
    code.jump(Width.W64, JumpOp.JLT, instruction, rule, labels.returning());
    code.alu(Width.W64, AluOp.ADD, cfa, UnwindRule.WORD);
    code.jump(labels.returning());
    code.place(other);
  }

  /** Emits the step from a function whose return address is in a register. */
  private void inRegister(Register kind, Register offset, Label moved, Label unreadable) {
    Label other = code.label("other");
    code.jump(Width.W64, JumpOp.JNE, kind, number(Kind.SP_LINK), other);
    // Only the innermost function's registers are known.
    code.jump(Width.W64, JumpOp.JNE, frame.back(), new Immediate(0), other);
    code.move(cfa, frame.sp());
    code.alu(Width.W64, AluOp.ADD, cfa, offset);
    code.move(caller, frame.link());
    code.jump(Width.W64, JumpOp.JLT, cfa, frame.sp(), unreadable);
    code.jump(moved);
    code.place(other);
  }

  /** Emits the step from a signal handler's trampoline to what it interrupted. */
  private void signal(Register kind, Label next, Label unreadable) {
    Label other = code.label("other");
    code.jump(Width.W64, JumpOp.JNE, kind, number(Kind.SIGNAL), other);
    Register at = code.fresh();
    code.move(at, frame.sp());
    read(frame.pc(), new Place(at, signalFrame.pc()), unreadable);
    read(frame.sp(), new Place(at, signalFrame.sp()), unreadable);
    read(frame.fp(), new Place(at, signalFrame.fp()), unreadable);
    read(frame.link(), new Place(at, signalFrame.link()), unreadable);
    code.constant(frame.back(), 0);
    code.jump(next);
    code.place(other);
  }

  /** Replaces a number of words by the address so far below the CFA. */
  private void saved(Register saved, Register base) {
    Label atRegister = code.label("at_register");
    Label known = code.label("saved");
    Register words = code.fresh();
    code.move(words, saved);
    code.move(saved, base);
    code.jump(Width.W64, JumpOp.JEQ, words, new Immediate(UnwindRule.AT_REGISTER), known);
    code.place(atRegister);
    code.alu(Width.W64, AluOp.LSH, words, 3);
    code.move(saved, cfa);
    code.alu(Width.W64, AluOp.SUB, saved, words);
    code.place(known);
  }

  private void read(Register to, Place from, Label unreadable) {
    Register result =
        code.callForResult(
            Helper.PROBE_READ_USER,
            code.address(word),
            code.value(UnwindRule.WORD),
            code.address(from));
    code.jump(Width.W64, JumpOp.JNE, result, new Immediate(0), unreadable);
    code.load(Size.DW, to, word);
  }

  private void end(UnwindEnd end, Label lost) {
    code.constant(frame.end(), end.marker());
    code.jump(lost);
  }

  private void jump(Register kind, Kind wanted, Label to) {
    code.jump(Width.W64, JumpOp.JEQ, kind, number(wanted), to);
  }

  private static Immediate number(Kind kind) {
    return new Immediate(kind.number());
  }
}
