package dev.ply.kernel.dwarf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a variable is: DWARF 5, sections 2.5 and 2.6. Its pieces follow each other.
 *
 * @param pieces at least one
 * @param isList whether it is elsewhere at other instructions
 */
record Location(List<Piece> pieces, boolean isList) {
  private static final int MOST_PIECES = 64;

  private static final int CONSTU = 0x10;
  private static final int CONSTS = 0x11;
  private static final int PLUS = 0x22;
  private static final int REGISTER_0 = 0x50;
  private static final int BASE_REGISTER_0 = 0x70;
  private static final int BASE_REGISTER_31 = 0x8f;
  private static final int REGISTER_X = 0x90;
  private static final int FRAME_BASE = 0x91;
  private static final int PIECE = 0x93;
  private static final int CALL_FRAME = 0x9c;

  /** Of one piece, or all that follows. */
  static final long REST = -1;

  /**
   * Consecutive bytes of a variable.
   *
   * @param size in bytes, {@link #REST} of a variable in one piece
   */
  record Piece(Storage storage, long size) {}

  /** The storage of a piece. */
  sealed interface Storage {
    /** A register, by its number in DWARF. */
    record Register(long number) implements Storage {}

    /** The stack, at a distance in bytes from its top in the caller. */
    record CallFrame(long offset) implements Storage {}

    /** Memory that the function's own code addresses. */
    record Memory() implements Storage {}

    /** Nothing. */
    record Nothing() implements Storage {}
  }

  Location {
    pieces = List.copyOf(pieces);
  }

  /**
   * Reads an expression; empty if it computes a value or an address from others.
   *
   * @param isCallFrame whether the function's frame base is the top of the stack in the caller
   */
  static Optional<Location> of(DwarfCursor expression, boolean isCallFrame, boolean isList)
      throws BadDwarfException {
    List<Piece> pieces = new ArrayList<>();
    Storage storage = new Storage.Nothing();
    while (expression.hasMore()) {
      int operation = expression.unsignedByte();
      if (operation == PIECE) {
        pieces.add(new Piece(storage, expression.uleb()));
        storage = new Storage.Nothing();
      } else if (storage instanceof Storage.CallFrame frame) {
        Optional<Storage> sum = sum(frame, operation, expression);
        if (sum.isEmpty()) {
          return Optional.empty();
        }
        storage = sum.get();
      } else if (storage instanceof Storage.Nothing && operation >= REGISTER_0) {
        Optional<Storage> found = storage(operation, expression, isCallFrame);
        if (found.isEmpty()) {
          return Optional.empty();
        }
        storage = found.get();
      } else {
        return Optional.empty();
      }
      if (pieces.size() > MOST_PIECES) {
        return Optional.empty();
      }
    }
    if (!(storage instanceof Storage.Nothing)) {
      pieces.add(new Piece(storage, REST));
    }
    return pieces.isEmpty() ? Optional.empty() : Optional.of(new Location(pieces, isList));
  }

  private static Optional<Storage> storage(
      int operation, DwarfCursor expression, boolean isCallFrame) throws BadDwarfException {
    if (operation < BASE_REGISTER_0) {
      return Optional.of(new Storage.Register(operation - REGISTER_0));
    }
    if (operation <= BASE_REGISTER_31) {
      long unused = expression.sleb();
      return Optional.of(new Storage.Memory());
    }
    return switch (operation) {
      case REGISTER_X -> Optional.of(new Storage.Register(expression.uleb()));
      case FRAME_BASE -> {
        long offset = expression.sleb();
        yield Optional.of(isCallFrame ? new Storage.CallFrame(offset) : new Storage.Memory());
      }
      case CALL_FRAME -> Optional.of(new Storage.CallFrame(0));
      default -> Optional.empty();
    };
  }

  /** Go adds a constant to the top of the stack. */
  private static Optional<Storage> sum(
      Storage.CallFrame frame, int operation, DwarfCursor expression) throws BadDwarfException {
    long more;
    switch (operation) {
      case Dwarf.PLUS_CONSTANT -> {
        return Optional.of(new Storage.CallFrame(frame.offset() + expression.uleb()));
      }
      case CONSTU -> more = expression.uleb();
      case CONSTS -> more = expression.sleb();
      default -> {
        return Optional.empty();
      }
    }
    return expression.hasMore() && expression.unsignedByte() == PLUS
        ? Optional.of(new Storage.CallFrame(frame.offset() + more))
        : Optional.empty();
  }
}
