package dev.ply.ir;

import java.util.List;
import java.util.Optional;

/**
 * A call of {@code print} for one map: {@code print(map)}, {@code print(map, top)}, {@code
 * print(map, top, div)}. Other arguments than a map and at most two number literals are a list of
 * values.
 *
 * @param map without keys
 * @param top how many entries are printed, those with the largest values
 * @param divisor what values are divided by
 */
public record PrintedMap(MapRef map, int top, long divisor) {
  /**
   * {@return the map that a call prints, if it has that form}
   *
   * @param arguments of the call
   */
  public static Optional<PrintedMap> of(List<Expr> arguments) {
    boolean isMap =
        !arguments.isEmpty()
            && arguments.size() <= 3
            && arguments.get(0) instanceof Expr.MapRead read
            && read.map().keys().isEmpty()
            && arguments.stream().skip(1).allMatch(Expr.IntLiteral.class::isInstance);
    return isMap
        ? Optional.of(
            new PrintedMap(
                ((Expr.MapRead) arguments.get(0)).map(),
                (int) Math.min(number(arguments, 1, Integer.MAX_VALUE), Integer.MAX_VALUE),
                number(arguments, 2, 1)))
        : Optional.empty();
  }

  private static long number(List<Expr> arguments, int index, long otherwise) {
    long given = index < arguments.size() ? ((Expr.IntLiteral) arguments.get(index)).value() : 0;
    // As in bpftrace, 0 is the default.
    return given <= 0 ? otherwise : given;
  }
}
