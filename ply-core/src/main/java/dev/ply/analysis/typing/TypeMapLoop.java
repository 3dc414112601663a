package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.CIRCULAR_TYPE;
import static dev.ply.diagnostic.DiagnosticCode.NOT_OFFERED;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNTYPED_MAP;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.target.Target;
import dev.ply.type.Type;
import dev.ply.type.Type.TupleType;
import java.util.List;
import java.util.Optional;

/** Types the entries of maps that programs iterate over: tuples of key and value. */
final class TypeMapLoop {
  private final MapSymbols symbols;
  private final Target target;
  private final Diagnostics diagnostics;

  TypeMapLoop(MapSymbols symbols, Target target, Diagnostics diagnostics) {
    this.symbols = symbols;
    this.target = target;
    this.diagnostics = diagnostics;
  }

  /** Returns the type of a loop's variable; empty after an error, or if a type is not known yet. */
  Optional<Type> entry(Statement.ForEach node) {
    MapRef map = node.map();
    if (!isIterable(map, node.span())) {
      return Optional.empty();
    }
    Optional<MapContent> content = symbols.content(map.name());
    if (content.filter(known -> !MapContent.isNumberOrPlain(known)).isPresent()) {
      diagnostics.error(
          TYPE_MISMATCH,
          map.span(),
          "a loop has no value for "
              + content.map(CheckClause::describe).orElseThrow()
              + ", which are in map \""
              + map.name()
              + "\"",
          "print(" + map.name() + ") shows them");
      return Optional.empty();
    }
    symbols.observeKeys(map.name());
    if (content.filter(MapContent.Aggregated.class::isInstance).isPresent()) {
      symbols.observeValues(map.name());
    }
    return symbols
        .keys(map.name())
        .flatMap(
            keys ->
                content.map(
                    value ->
                        TupleType.of(
                            List.of(
                                keys.size() == 1 ? keys.get(0) : TupleType.of(keys),
                                value.type()))));
  }

  /** Returns whether programs can iterate over a map, or reports why not. */
  boolean isIterable(MapRef map, SourceSpan span) {
    if (!target.iteratesOverMaps()) {
      diagnostics.error(
          NOT_OFFERED,
          span,
          "this kernel does not let probes iterate over maps",
          "Linux 5.13 does");
      return false;
    }
    symbols.mention(map.name());
    if (symbols.content(map.name()).isEmpty()) {
      if (!symbols.isObscure(map.name())) {
        boolean isCircular = symbols.isStored(map.name());
        diagnostics.error(
            isCircular ? CIRCULAR_TYPE : UNTYPED_MAP,
            map.span(),
            isCircular
                ? "map \"" + map.name() + "\" has no type: it is only assigned from itself"
                : "map \"" + map.name() + "\" is never assigned");
      }
      return false;
    }
    if (symbols.keys(map.name()).filter(List::isEmpty).isPresent()) {
      diagnostics.error(
          TYPE_MISMATCH,
          map.span(),
          "map \"" + map.name() + "\" has no keys, only one value",
          "write " + map.name() + " for its value");
      return false;
    }
    return true;
  }
}
