package dev.ply.kernel.dwarf;

import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;

/**
 * Runs the program of a {@link LineUnit}: every opcode is a byte of the file, so it ends. Not
 * thread-safe.
 */
final class LineProgram {
  private static final int EXTENDED = 0;
  private static final int COPY = 1;
  private static final int ADVANCE_PC = 2;
  private static final int ADVANCE_LINE = 3;
  private static final int SET_FILE = 4;
  private static final int CONST_ADD_PC = 8;
  private static final int FIXED_ADVANCE_PC = 9;

  private static final int END_SEQUENCE = 1;
  private static final int SET_ADDRESS = 2;

  /** Opcodes between two checks of the time. */
  private static final int PART = 1 << 14;

  private final LineUnit unit;
  private final DwarfCursor code;
  private final Rows rows;
  private long address;
  private long file;
  private long line;

  /** Receives the rows of a line table. */
  interface Rows {
    /**
     * Receives a row. Rows of a sequence are in the order of their addresses, in any proper file.
     */
    void row(long address, long file, long line) throws IOException;

    /** Receives the end of a sequence, the first address after its code. */
    void end(long address) throws IOException;

    /** Returns whether no more rows are needed. */
    boolean isDone();
  }

  private LineProgram(LineUnit unit, Rows rows) {
    this.unit = unit;
    this.code = unit.code().copy();
    this.rows = rows;
    begin();
  }

  /** Passes the rows of a unit until no more are needed. */
  static void run(LineUnit unit, Rows rows, Allowance allowance) throws IOException {
    LineProgram program = new LineProgram(unit, rows);
    for (int count = 1; program.code.hasMore() && !rows.isDone(); count++) {
      program.step();
      if (count % PART == 0) {
        allowance.requireTime();
      }
    }
  }

  private void begin() {
    address = 0;
    file = 1;
    line = 1;
  }

  private void step() throws IOException {
    int opcode = code.unsignedByte();
    if (opcode >= unit.opcodeBase()) {
      int special = opcode - unit.opcodeBase();
      address += (long) unit.step() * (special / unit.lineRange());
      line += unit.lineBase() + special % unit.lineRange();
      rows.row(address, file, line);
      return;
    }
    switch (opcode) {
      case EXTENDED -> extended(code.part(code.uleb()));
      case COPY -> rows.row(address, file, line);
      case ADVANCE_PC -> address += unit.step() * code.uleb();
      case ADVANCE_LINE -> line += code.sleb();
      case SET_FILE -> file = code.uleb();
      case CONST_ADD_PC ->
          address += (long) unit.step() * ((255 - unit.opcodeBase()) / unit.lineRange());
      case FIXED_ADVANCE_PC -> address += code.unsigned(2);
      // Columns, statements, blocks, prologues, and what later versions may add.
      default -> skipOperands(opcode);
    }
  }

  private void skipOperands(int opcode) throws BadDwarfException {
    DwarfCursor counts = unit.operandCounts().copy();
    counts.skip(opcode - 1);
    int count = counts.unsignedByte();
    for (int i = 0; i < count; i++) {
      long unused = code.uleb();
    }
  }

  private void extended(DwarfCursor operation) throws IOException {
    if (!operation.hasMore()) {
      return;
    }
    switch (operation.unsignedByte()) {
      case END_SEQUENCE -> {
        rows.end(address);
        begin();
      }
      case SET_ADDRESS -> address = operation.unsigned(operation.left());
      default -> {
        // Discriminators, and files that no compiler defines here.
      }
    }
  }
}
