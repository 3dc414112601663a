package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindRule;
import dev.ply.bpf.unwind.UnwindRule.Kind;
import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.dwarf.DwarfCursor;

/** The DWARF expressions that compilers, linkers and assembler sources use for frames. */
final class FrameExpression {
  private static final int DEREF = 0x06;
  private static final int AND = 0x1a;
  private static final int PLUS = 0x22;
  private static final int PLUS_CONSTANT = 0x23;
  private static final int SHIFT_LEFT = 0x24;
  private static final int GREATER_OR_EQUAL = 0x2a;
  private static final int LITERAL_0 = 0x30;
  private static final int REGISTER_0 = 0x70;

  /** The instruction pointer's DWARF register number on x86-64. */
  private static final int INSTRUCTION_POINTER = 16;

  /** The offset of the stack pointer in the kernel's signal frame of x86-64, at its sigreturn. */
  private static final int SIGNAL_STACK_POINTER = 160;

  private final DwarfCursor code;
  private final FrameMachine machine;

  private FrameExpression(DwarfCursor code, FrameMachine machine) {
    this.code = code;
    this.machine = machine;
  }

  /** Returns the form of an expression for the CFA. */
  static Cfa cfa(DwarfCursor code, FrameMachine machine) throws BadDwarfException {
    FrameExpression expression = new FrameExpression(code, machine);
    return code.hasMore() ? expression.cfa() : new Cfa.Unknown();
  }

  /** Returns the form of an expression for where a register is saved. */
  static SavedRegister saved(DwarfCursor code, FrameMachine machine) throws BadDwarfException {
    boolean isAtFramePointer =
        code.hasMore()
            && code.unsignedByte() == REGISTER_0 + machine.framePointer()
            && code.sleb() == 0
            && !code.hasMore();
    return isAtFramePointer ? new SavedRegister.AtFramePointer() : new SavedRegister.Elsewhere();
  }

  private Cfa cfa() throws BadDwarfException {
    int register = code.unsignedByte() - REGISTER_0;
    if (register < 0 || register > machine.stackPointer()) {
      return new Cfa.Unknown();
    }
    long offset = code.sleb();
    if (register == machine.stackPointer() && offset == UnwindRule.WORD && stubFollows()) {
      // "sp + 8 + ((pc & 15) >= N) * 8", N a literal.
      return stub();
    }
    if (!next(DEREF) || offset % UnwindRule.WORD != 0) {
      return new Cfa.Unknown();
    }
    long words = offset / UnwindRule.WORD;
    if (!UnwindRule.fits(words, 0)) {
      return new Cfa.Unknown();
    }
    if (register == machine.framePointer() && !code.hasMore()) {
      return new Cfa.Known(Kind.FP_INDIRECT, (int) words);
    }
    if (register != machine.stackPointer()) {
      return new Cfa.Unknown();
    }
    if (!code.hasMore()) {
      return offset == SIGNAL_STACK_POINTER ? new Cfa.Known(Kind.SIGNAL, 0) : new Cfa.Unknown();
    }
    return next(PLUS_CONSTANT) && code.uleb() == UnwindRule.WORD && !code.hasMore()
        ? new Cfa.Known(Kind.SP_INDIRECT, (int) words)
        : new Cfa.Unknown();
  }

  private boolean stubFollows() throws BadDwarfException {
    return machine == FrameMachine.X86_64
        && code.hasMore()
        && code.copy().unsignedByte() == REGISTER_0 + INSTRUCTION_POINTER;
  }

  private Cfa stub() throws BadDwarfException {
    code.skip(1);
    if (code.sleb() != 0 || !next(LITERAL_0 + 15) || !next(AND) || !code.hasMore()) {
      return new Cfa.Unknown();
    }
    int pushed = code.unsignedByte() - LITERAL_0;
    boolean isStub =
        pushed >= 0
            && pushed < 16
            && next(GREATER_OR_EQUAL)
            && next(LITERAL_0 + 3)
            && next(SHIFT_LEFT)
            && next(PLUS)
            && !code.hasMore();
    return isStub ? new Cfa.Known(Kind.PLT, pushed) : new Cfa.Unknown();
  }

  private boolean next(int operation) throws BadDwarfException {
    return code.hasMore() && code.unsignedByte() == operation;
  }
}
