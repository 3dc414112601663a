package dev.ply.bpf.vm.interpret;

import static dev.ply.bpf.vm.memory.VmFault.Kind.END_OF_CODE;
import static dev.ply.bpf.vm.memory.VmFault.Kind.UNSUPPORTED;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.vm.memory.VmFault;
import dev.ply.diagnostic.SourceSpan;

/**
 * A linked instruction, with labels, maps and constants resolved.
 *
 * @param instruction the original, for rare operators and for messages
 * @param index its index in the program
 * @param reads bit set of the registers that must be initialised
 * @param writes bit set of the registers that it initialises
 * @param destination the register written, or the base of a store
 * @param source the index of the right operand among registers and constants
 * @param offset the offset of loads and stores
 * @param target the index of the target step of jumps and calls, and of a function whose address is
 *     loaded
 */
public record Step(
    Kind kind,
    Instruction instruction,
    int index,
    SourceSpan span,
    int reads,
    int writes,
    int destination,
    int source,
    int offset,
    int target) {

  /** Returns the number of bytes that a load or a store accesses. */
  public int bytes() {
    Size size =
        instruction instanceof Instruction.Load load
            ? load.size()
            : ((Instruction.Store) instruction).size();
    return size.bytes();
  }

  /** Returns whether this loads the address of a function. */
  public boolean loadsFunction() {
    return instruction instanceof Instruction.LoadWide wide
        && wide.source() instanceof WideSource.Function;
  }

  /** Returns the helper that this calls. */
  public Helper helper() {
    return ((Instruction.CallHelper) instruction).helper().orElseThrow();
  }

  /** Returns the fault of executing an END or an UNSUPPORTED. */
  public VmFault unexecutable() {
    return kind == Kind.END
        ? new VmFault(END_OF_CODE, "runs past the end of the program")
        : new VmFault(UNSUPPORTED, "is not supported: " + instruction);
  }

  /** The opcode of a step; common operators have one per width, to dispatch in one switch. */
  public enum Kind {
    ADD,
    SUB,
    MUL,
    OR,
    AND,
    LSH,
    RSH,
    XOR,
    MOV,
    ARSH,
    ADD_32,
    SUB_32,
    MUL_32,
    OR_32,
    AND_32,
    LSH_32,
    RSH_32,
    XOR_32,
    MOV_32,
    ARSH_32,
    DIVIDE,
    NEGATE,
    SIGN_EXTEND,
    BYTE_SWAP,
    LOAD_B,
    LOAD_H,
    LOAD_W,
    LOAD_DW,
    LOAD_SIGNED,
    STORE_B,
    STORE_H,
    STORE_W,
    STORE_DW,
    ATOMIC,
    JEQ,
    JNE,
    JGT,
    JGE,
    JLT,
    JLE,
    JSGT,
    JSGE,
    JSLT,
    JSLE,
    JSET,
    JUMP_32,
    GOTO,
    CALL_HELPER,
    CALL_LOCAL,
    EXIT,
    END,
    UNSUPPORTED;

    /** Returns whether this is a conditional jump. */
    public boolean isConditional() {
      return compareTo(JEQ) >= 0 && compareTo(JUMP_32) <= 0;
    }

    /** Returns whether this is a load. */
    public boolean isLoad() {
      return compareTo(LOAD_B) >= 0 && compareTo(LOAD_SIGNED) <= 0;
    }

    /** Returns whether this is a store that is not atomic. */
    public boolean isStore() {
      return compareTo(STORE_B) >= 0 && compareTo(STORE_DW) <= 0;
    }

    /** Returns whether the next step may follow. */
    public boolean continues() {
      return this != GOTO && this != EXIT && this != END && this != UNSUPPORTED;
    }

    static Kind of(AluOp op, Width width) {
      boolean wide = width == Width.W64;
      return switch (op) {
        case ADD -> wide ? ADD : ADD_32;
        case SUB -> wide ? SUB : SUB_32;
        case MUL -> wide ? MUL : MUL_32;
        case OR -> wide ? OR : OR_32;
        case AND -> wide ? AND : AND_32;
        case LSH -> wide ? LSH : LSH_32;
        case RSH -> wide ? RSH : RSH_32;
        case XOR -> wide ? XOR : XOR_32;
        case MOV -> wide ? MOV : MOV_32;
        case ARSH -> wide ? ARSH : ARSH_32;
        case DIV, SDIV, MOD, SMOD -> DIVIDE;
      };
    }

    static Kind of(JumpOp op, Width width) {
      if (width == Width.W32) {
        return JUMP_32;
      }
      return switch (op) {
        case JEQ -> JEQ;
        case JNE -> JNE;
        case JGT -> JGT;
        case JGE -> JGE;
        case JLT -> JLT;
        case JLE -> JLE;
        case JSGT -> JSGT;
        case JSGE -> JSGE;
        case JSLT -> JSLT;
        case JSLE -> JSLE;
        case JSET -> JSET;
      };
    }

    static Kind load(Size size) {
      return switch (size) {
        case B -> LOAD_B;
        case H -> LOAD_H;
        case W -> LOAD_W;
        case DW -> LOAD_DW;
      };
    }

    static Kind store(Size size) {
      return switch (size) {
        case B -> STORE_B;
        case H -> STORE_H;
        case W -> STORE_W;
        case DW -> STORE_DW;
      };
    }
  }
}
