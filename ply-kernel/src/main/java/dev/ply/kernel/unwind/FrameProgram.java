package dev.ply.kernel.unwind;

import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.dwarf.DwarfCursor;
import dev.ply.kernel.unwind.SavedRegister.AtCfa;
import dev.ply.kernel.unwind.SavedRegister.Elsewhere;
import dev.ply.kernel.unwind.SavedRegister.InRegister;
import dev.ply.kernel.unwind.SavedRegister.Unchanged;
import dev.ply.kernel.unwind.SavedRegister.Undefined;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs the call frame instructions of a function or a common entry: every one is a byte of the
 * file, so it ends. Not thread-safe.
 */
final class FrameProgram {
  private static final int PRIMARY = 0xc0;
  private static final int OPERAND = 0x3f;

  /** Compilers remember one state at a time, or two. */
  private static final int MOST_REMEMBERED = 64;

  private final CommonEntry common;
  private final FrameMachine machine;
  private final Deque<FrameRules> remembered = new ArrayDeque<>();
  private FrameRules rules;
  private long offset;

  /** Receives the rows. */
  interface Rows {
    /**
     * Receives rules.
     *
     * @param offset of the first instruction that they hold for, from the function's start
     */
    void row(long offset, FrameRules rules) throws IOException;
  }

  /**
   * Starts with the rules of a common entry.
   *
   * @param offset of the first instruction, from the function's start
   */
  FrameProgram(CommonEntry common, FrameMachine machine, long offset) {
    this.common = common;
    this.machine = machine;
    this.rules = common.initial();
    this.offset = offset;
  }

  /** Returns the rules that hold after the last instruction. */
  FrameRules rules() {
    return rules;
  }

  /** Runs the instructions, and passes the rules each time they hold for an address. */
  void run(DwarfCursor code, Rows rows) throws IOException {
    while (code.hasMore()) {
      int instruction = code.unsignedByte();
      int operand = instruction & OPERAND;
      switch (instruction & PRIMARY) {
        case 0x40 -> advance(operand, rows);
        case 0x80 -> set(operand, new AtCfa(code.uleb() * common.dataFactor()));
        case 0xc0 -> restore(operand);
        default -> step(operand, code, rows);
      }
    }
    rows.row(offset, rules);
  }

  private void step(int instruction, DwarfCursor code, Rows rows) throws IOException {
    switch (instruction) {
      // DW_CFA_nop, GNU_window_save or AARCH64_negate_ra_state, which masking the address covers.
      case 0x00, 0x2d -> {}
      case 0x02 -> advance(code.unsigned(1), rows);
      case 0x03 -> advance(code.unsigned(2), rows);
      case 0x04 -> advance(code.unsigned(4), rows);
      case 0x05 -> set(code.uleb(), new AtCfa(code.uleb() * common.dataFactor()));
      case 0x06 -> restore(code.uleb());
      case 0x07 -> set(code.uleb(), new Undefined());
      case 0x08 -> set(code.uleb(), new Unchanged());
      case 0x09 -> set(code.uleb(), new InRegister(code.uleb()));
      case 0x0a -> remember();
      case 0x0b -> recall();
      case 0x0c -> cfa(code.uleb(), code.uleb());
      case 0x0d -> cfa(code.uleb(), cfaOffset());
      case 0x0e -> cfa(cfaRegister(), code.uleb());
      case 0x0f -> rules = rules.withCfa(FrameExpression.cfa(code.part(code.uleb()), machine));
      case 0x10 -> {
        long register = code.uleb();
        set(register, FrameExpression.saved(code.part(code.uleb()), machine));
      }
      case 0x11 -> set(code.uleb(), new AtCfa(code.sleb() * common.dataFactor()));
      case 0x12 -> cfa(code.uleb(), code.sleb() * common.dataFactor());
      case 0x13 -> cfa(cfaRegister(), code.sleb() * common.dataFactor());
      case 0x14, 0x15 -> {
        set(code.uleb(), new Elsewhere());
        long unused = code.uleb();
      }
      case 0x16 -> {
        set(code.uleb(), new Elsewhere());
        code.skip(code.uleb());
      }
      // The size of arguments on the stack, which only landing pads need.
      case 0x2e -> {
        long unused = code.uleb();
      }
      case 0x2f -> set(code.uleb(), new AtCfa(-code.uleb() * common.dataFactor()));
      default ->
          throw new BadDwarfException(
              "call frame instruction 0x" + Integer.toHexString(instruction));
    }
  }

  private void advance(long units, Rows rows) throws IOException {
    long bytes = units * common.codeFactor();
    if (bytes < 0 || bytes > Integer.MAX_VALUE) {
      throw new BadDwarfException("an advance by " + bytes + " bytes");
    }
    if (bytes > 0) {
      rows.row(offset, rules);
      offset += bytes;
    }
  }

  private void set(long register, SavedRegister where) {
    rules = rules.with(register, where, machine);
  }

  private void restore(long register) {
    FrameRules initial = common.initial();
    SavedRegister where = register == machine.framePointer() ? initial.frame() : initial.link();
    set(register, where);
  }

  private void remember() throws BadDwarfException {
    if (remembered.size() == MOST_REMEMBERED) {
      throw new BadDwarfException("more than " + MOST_REMEMBERED + " remembered states");
    }
    remembered.push(rules);
  }

  private void recall() throws BadDwarfException {
    if (remembered.isEmpty()) {
      throw new BadDwarfException("no remembered state");
    }
    rules = remembered.pop();
  }

  private void cfa(long register, long bytes) {
    rules =
        rules.withCfa(
            register >= 0 && register <= Byte.MAX_VALUE
                ? new Cfa.OfRegister((int) register, bytes)
                : new Cfa.Unknown());
  }

  private int cfaRegister() throws BadDwarfException {
    return current().register();
  }

  private long cfaOffset() throws BadDwarfException {
    return current().offset();
  }

  private Cfa.OfRegister current() throws BadDwarfException {
    if (rules.cfa() instanceof Cfa.OfRegister current) {
      return current;
    }
    throw new BadDwarfException("a change of a frame address that is no register's");
  }
}
