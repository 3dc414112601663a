package dev.ply.lang.events.translate;

import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.lang.events.FetchType;
import dev.ply.lang.events.FetchType.BitField;
import dev.ply.lang.events.FetchType.Named;
import dev.ply.result.TraceLine.Style;
import java.util.List;

/**
 * A field of an event's output.
 *
 * @param name in the output
 * @param style how each element is shown
 * @param values the elements, one if it is not an array
 * @param compared the value in filters, where it is a string
 */
record EventField(
    String name, Style style, List<Expr> values, boolean isArray, FilterValue compared) {
  /** The bytes of a string with its NUL; the kernel reads up to 4096. */
  static final int STRING_BYTES = 512;

  EventField {
    values = List.copyOf(values);
  }

  /** Returns a field of one value. */
  static EventField of(String name, Style style, Expr value) {
    return new EventField(
        name, style, List.of(value), false, new FilterValue(value, style.isText()));
  }

  /** Returns a field of the values of a type. */
  static EventField of(
      Nodes nodes, String name, FetchType type, List<Expr> values, boolean isArray) {
    List<Expr> shown =
        type instanceof BitField bits
            ? values.stream().map(value -> bits(nodes, bits, value)).toList()
            : values;
    return new EventField(name, style(type), shown, isArray, new FilterValue(shown.get(0), false));
  }

  /** Returns a field of the string at an address. */
  static EventField string(Nodes nodes, String name, Expr address) {
    return new EventField(
        name,
        Style.QUOTED,
        List.of(nodes.quoted(address, STRING_BYTES)),
        false,
        new FilterValue(nodes.call(MemoryBuiltins.STR, address, nodes.number(STRING_BYTES)), true));
  }

  private static Expr bits(Nodes nodes, BitField field, Expr value) {
    Expr shifted =
        field.offset() == 0
            ? value
            : nodes.binary(BinaryOp.SHR, value, nodes.number(field.offset()));
    boolean isTop = field.offset() + field.width() == field.container();
    return isTop
        ? shifted
        : nodes.binary(BinaryOp.AND, shifted, nodes.number((1L << field.width()) - 1));
  }

  /** Returns how values of a type are shown. */
  private static Style style(FetchType type) {
    if (!(type instanceof Named named)) {
      return Style.UNSIGNED;
    }
    return switch (named) {
      case U8, U16, U32, U64 -> Style.UNSIGNED;
      case S8, S16, S32, S64 -> Style.SIGNED;
      case X8, X16, X32, X64 -> Style.HEX;
      case CHAR -> Style.CHARACTER;
      case SYMBOL -> Style.SYMBOL;
      case SYMSTR -> Style.SYMBOL_STRING;
      case STRING, USTRING, DENTRY_NAME, FILE_NAME -> Style.QUOTED;
    };
  }

  /**
   * The value of a field in filters.
   *
   * @param value a number or a string
   */
  record FilterValue(Expr value, boolean isText) {}
}
