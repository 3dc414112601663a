package dev.ply.cli.live.draw;

import dev.ply.table.Datum;
import dev.ply.table.Stack;
import dev.ply.table.ValueFormat;
import dev.ply.target.KernelSymbols;
import dev.ply.type.Escapes;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The text of keys and values in a line, escaped: they are other people's.
 *
 * @param format of the command's layout
 */
record KeyText(ValueFormat format, Look look) {
  /** Returns a value; a stack as its functions, innermost first. */
  String of(Datum datum, KernelSymbols symbols) {
    return datum.isStack()
        ? frames(datum, symbols).stream().collect(Collectors.joining(look.choose(" < ", " ← ")))
        : Escapes.escape(format.format(datum).strip());
  }

  /** Returns the functions of a stack, innermost first. */
  static List<String> frames(Datum datum, KernelSymbols symbols) {
    Stack stack = Stack.of(datum, symbols);
    if (stack.frames().isEmpty()) {
      return List.of(stack.isLost() ? "<lost>" : "<no stack>");
    }
    return stack.frames().stream().map(frame -> Escapes.escape(frame.function())).toList();
  }
}
