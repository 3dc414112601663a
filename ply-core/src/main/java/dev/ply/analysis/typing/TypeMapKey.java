package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.MAP_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.ExprText;
import dev.ply.ir.MapRef;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Types map keys: the same kinds in all uses of a map. */
final class TypeMapKey {
  private final TypeExpression expressions;
  private final int longest;
  private final MapSymbols symbols;
  private final Diagnostics diagnostics;

  /**
   * Creates it.
   *
   * @param longest the kernel's maximum size of a key in bytes
   */
  TypeMapKey(TypeExpression expressions, int longest, MapSymbols symbols, Diagnostics diagnostics) {
    this.longest = longest;
    this.expressions = expressions;
    this.symbols = symbols;
    this.diagnostics = diagnostics;
  }

  /** Types the components of a key and unifies them with the map's other uses. */
  void apply(MapRef map) {
    List<Type> parts = new ArrayList<>();
    boolean complete = true;
    for (Expr key : map.keys()) {
      Optional<Type> type = expressions.apply(key);
      if (type.isPresent() && type.get() instanceof VoidType) {
        diagnostics.error(TYPE_MISMATCH, key.span(), "a key needs a value, this has none");
        complete = false;
      }
      type.ifPresent(part -> MemoryBuiltins.noteLocation(key, part, diagnostics));
      complete &= type.isPresent();
      type.map(part -> widened(map, part)).ifPresent(parts::add);
    }
    if (!complete) {
      return;
    }
    List<String> written = map.keys().stream().map(key -> ExprText.heading(key, "key")).toList();
    if (parts.size() == 1 && parts.get(0) instanceof TupleType tuple && !tuple.isRecord()) {
      // A tuple's elements are the key's components: @[$t] is @[$t.0, $t.1].
      parts = tuple.elements().stream().map(part -> widened(map, part)).toList();
      String whole = written.get(0);
      written = IntStream.range(0, parts.size()).mapToObj(i -> whole + "." + i).toList();
    }
    if (symbols.learnKeys(map.name(), parts, written)) {
      int size = StructType.ofKeyParts(symbols.keys(map.name()).orElse(parts)).size();
      if (size > longest) {
        diagnostics.error(
            OUT_OF_RANGE,
            map.span(),
            "the key of map \"" + map.name() + "\" takes " + size + " bytes",
            "the kernel's limit is " + longest + ": read shorter strings, as in str(p, 64)");
      }
    } else {
      diagnostics.error(
          MAP_MISMATCH,
          map.span(),
          "map \""
              + map.name()
              + "\" has "
              + otherKeys(symbols.keys(map.name()).orElse(List.of()), parts),
          "use keys of the same types everywhere, or two maps");
    }
  }

  /** Maps named with {@code @} hold integers as 64 bits; plain maps keep C's types. */
  static Type widened(MapRef map, Type type) {
    // Widening must not depend on the print format, which later uses can change.
    return map.isAggregation()
            && type instanceof IntType integer
            && integer.format() != IntFormat.DATA_LOCATION
        ? integer.ofBytes(Long.BYTES)
        : type;
  }

  private static String otherKeys(List<Type> known, List<Type> here) {
    if (known.isEmpty()) {
      return "no keys, here it has keys (" + names(here) + ")";
    }
    return "keys ("
        + names(known)
        + (here.isEmpty() ? "), here it has none" : "), here they are (" + names(here) + ")");
  }

  private static String names(List<Type> types) {
    return String.join(", ", types.stream().map(Type::name).toList());
  }
}
