package dev.ply.lang.bcc;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.Expr;
import java.util.List;

/** Addresses, and the strings at them. */
final class Addresses {
  /** The length of a thread's name. */
  private static final int LONGEST_NAME = 15;

  private Addresses() {}

  /**
   * Returns the first characters of the string at an address.
   *
   * @param length the maximum number of bytes
   * @param isInUserSpace whether addresses of the probe are in user space
   */
  static Expr string(Expr address, int length, boolean isInUserSpace) {
    Expr source = withoutType(address, isInUserSpace);
    if (source instanceof Expr.Call call
        && call.function() == ThreadBuiltins.COMM
        && length >= LONGEST_NAME) {
      return source;
    }
    Expr bytes = new Expr.IntLiteral(length + 1L, address.span());
    return new Expr.Call(MemoryBuiltins.STR, List.of(source, bytes), address.span());
  }

  /** Returns an address without casts, and marked as one of user space only if others are not. */
  static Expr withoutType(Expr address, boolean isInUserSpace) {
    if (address instanceof Expr.Cast cast
        && (cast.type().pointers() > 0 || cast.type().equals(CType.ADDRESS.name()))) {
      return withoutType(cast.operand(), isInUserSpace);
    }
    if (address instanceof Expr.Call call && call.function() == MemoryBuiltins.UPTR) {
      Expr inner = withoutType(call.arguments().get(0), isInUserSpace);
      return isInUserSpace
          ? inner
          : new Expr.Call(MemoryBuiltins.UPTR, List.of(inner), address.span());
    }
    return plain(address);
  }

  /** Returns a value that is converted, so that its own type does not matter. */
  static Expr plain(Expr value) {
    return value instanceof Expr.Call call && call.function() == ContextBuiltins.RETVAL
        ? new Expr.Call(ContextBuiltins.RETVAL, List.of(), call.span())
        : value;
  }
}
