package dev.ply.bpf.vm;

import dev.ply.bpf.isa.Instruction;
import dev.ply.ir.SourceSpan;

/**
 * One instruction made ready: labels and maps are resolved, and the registers that it needs and
 * that it defines are known as sets of bits.
 *
 * @param instruction the original, for its operators and for messages
 * @param index its place in the program's list
 * @param reads the registers that have to be initialised
 * @param writes the registers that are initialised afterwards
 * @param destination the register written, or the base of a store
 * @param source the register read, or -1 where {@code immediate} stands in its place
 * @param immediate the sign-extended immediate, or the address of a wide load
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
    long immediate,
    int target) {
  /** No register. */
  static final int NONE = -1;

  /** What the interpreter does for a step. */
  enum Kind {
    ALU,
    NEGATE,
    SIGN_EXTEND,
    BYTE_SWAP,
    CONSTANT,
    LOAD,
    STORE,
    ATOMIC,
    JUMP,
    GOTO,
    CALL_HELPER,
    CALL_LOCAL,
    EXIT,
    END,
    UNSUPPORTED
  }
}
