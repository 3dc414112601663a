package dev.ply.bpf.vm;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.SourceSpan;

/**
 * One instruction made ready: labels, maps and constants are resolved, and the registers that it
 * needs and that it defines are known as sets of bits.
 *
 * @param instruction the original, for rarer operators and for messages
 * @param index its place in the program's list
 * @param reads the registers that have to be initialised
 * @param writes the registers that are initialised afterwards
 * @param destination the register written, or the base of a store
 * @param source the register or the constant's place behind the registers that is the right operand
 * @param offset what loads and stores add to their base
 * @param target the step to go on with, for jumps and calls
 */
record Step(
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

  /**
   * What the interpreter does for a step. What is done often has a case for each operator and
   * width, so that one switch is all there is to decide.
   */
  enum Kind {
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

    static Kind of(AluOp op, Width width) {
      boolean whole = width == Width.W64;
      return switch (op) {
        case ADD -> whole ? ADD : ADD_32;
        case SUB -> whole ? SUB : SUB_32;
        case MUL -> whole ? MUL : MUL_32;
        case OR -> whole ? OR : OR_32;
        case AND -> whole ? AND : AND_32;
        case LSH -> whole ? LSH : LSH_32;
        case RSH -> whole ? RSH : RSH_32;
        case XOR -> whole ? XOR : XOR_32;
        case MOV -> whole ? MOV : MOV_32;
        case ARSH -> whole ? ARSH : ARSH_32;
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
