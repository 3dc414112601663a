package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.MAP_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_FIELD;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_NAME;
import static dev.ply.diagnostic.DiagnosticCode.UNTYPED_MAP;

import dev.ply.analysis.struct.NamedType;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.TypeReference;
import dev.ply.target.Target;
import dev.ply.type.AddressSpace;
import dev.ply.type.Conversions;
import dev.ply.type.IntFormat;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.TupleType;
import java.util.List;
import java.util.Optional;

/** Types casts, sizes, conditionals, and in-place changes of map entries. */
final class TypeOperation {
  private final TypeExpression expressions;
  private final Target target;
  private final MapSymbols symbols;
  private final Diagnostics diagnostics;

  TypeOperation(
      TypeExpression expressions, Target target, MapSymbols symbols, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.target = target;
    this.symbols = symbols;
    this.diagnostics = diagnostics;
  }

  /** Returns the type that a script refers to, or reports an error. */
  Optional<Type> named(TypeReference reference, SourceSpan span) {
    if (reference instanceof TypeArray array) {
      return array(array, span).map(type -> NamedType.pointer(type, array.pointers()));
    }
    return reference instanceof TypeOf typeOf
        ? operand(typeOf).map(type -> NamedType.pointer(type, typeOf.pointers()))
        : named((TypeName) reference, span);
  }

  /** Returns the type of arrays, or of strings, of a number of bytes. */
  private Optional<Type> array(TypeArray array, SourceSpan span) {
    if (array.element().equals(NamedType.STRING)) {
      int bytes = array.length().orElse(1);
      return Optional.of(Type.ArrayType.chars((bytes + 7) & -8));
    }
    return named(array.element(), span)
        .map(element -> new Type.ArrayType(element, array.length().orElse(0)));
  }

  /** The type of a map with keys is that of these. */
  private Optional<Type> operand(TypeOf typeOf) {
    if (!(typeOf.operand() instanceof Expr.MapRead read) || !read.map().keys().isEmpty()) {
      return expressions.apply(typeOf.operand());
    }
    String map = read.map().name();
    Optional<List<Type>> keys = symbols.keys(map);
    if (keys.isEmpty()) {
      return expressions.untyped(UNTYPED_MAP, read.span(), "map \"" + map + "\" is never assigned");
    }
    if (keys.get().isEmpty()) {
      return expressions.apply(read);
    }
    Type key = keys.get().size() == 1 ? keys.get().get(0) : TupleType.of(keys.get());
    expressions.note(read, key);
    return Optional.of(key);
  }

  /** {@code string[16]}, the type of strings of that size, the NUL included. */
  private static boolean isString(TypeReference reference) {
    return reference instanceof TypeArray array
        && array.pointers() == 0
        && array.element().equals(NamedType.STRING);
  }

  /** A string is one of another size already. */
  private Optional<Type> toString(Expr.Cast node, TypeArray string, Type operand) {
    boolean isText = operand.isText();
    int bytes =
        node.operand() instanceof Expr.StringLiteral literal
            ? TextBytes.encode(literal.value()).length + 1
            : 0;
    if (isText && string.length().orElse(bytes) >= bytes) {
      return Optional.of(operand);
    }
    diagnostics.error(
        TYPE_MISMATCH,
        node.operand().span(),
        isText
            ? "this string has " + bytes + " bytes, and its NUL is one of them"
            : TypeExpression.article(operand) + " is no string",
        isText ? "write (string[" + bytes + "])" : "str(…) reads the string at an address");
    return Optional.empty();
  }

  private Optional<Type> named(TypeName name, SourceSpan span) {
    Optional<Type> type = new NamedType(target).find(name);
    if (type.isEmpty()) {
      diagnostics.error(
          UNKNOWN_NAME,
          span,
          "unknown type \"" + name.base() + "\"",
          name.base().contains(" ") && !target.types().isKnown()
              ? "kernel structures are unknown, since this kernel has no type information"
              : "types are int8 to uint64, C's such as unsigned long, and the kernel's structures");
    }
    return type;
  }

  /** Types a cast. */
  Optional<Type> cast(Expr.Cast node) {
    Optional<Type> operand = expressions.apply(node.operand());
    Optional<Type> named = named(node.type(), node.span());
    if (operand.isEmpty() || named.isEmpty()) {
      return named.isEmpty() ? expressions.unknown() : Optional.empty();
    }
    if (isString(node.type())) {
      return toString(node, (TypeArray) node.type(), operand.get());
    }
    if (node.type() instanceof TypeArray array && array.pointers() == 0) {
      return toArray(node, (Type.ArrayType) named.get(), array.length().isPresent(), operand.get());
    }
    if (!named.get().isScalar()) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.span(),
          "nothing can be converted to " + TypeExpression.article(named.get()),
          "values are converted to numbers and pointers"
              + (node.type() instanceof TypeName name ? ": (" + name.base() + " *)x" : ""));
      return Optional.empty();
    }
    if (operand.get().isText() && named.get().equals(IntType.BOOL)) {
      return named;
    }
    if (isNumberInBytes(operand.get()) && named.get() instanceof IntType integer) {
      if (integer.bytes() < operand.get().size()) {
        diagnostics.warning(
            TYPE_MISMATCH,
            node.span(),
            integer.name() + " has fewer bytes than " + operand.get().name(),
            "only the first ones are read; an element is array[0]");
      }
      return named;
    }
    if (named.get() instanceof PointerType pointer && operand.get() instanceof Type.ArrayType) {
      Optional<Type> decayed = expressions.elements().decayed(node.operand(), pointer);
      if (decayed.isPresent()) {
        return decayed;
      }
    }
    if (isContextOfVoid(operand.get())) {
      return named.map(
          type ->
              type instanceof PointerType pointer
                  ? new PointerType(pointer.target(), AddressSpace.KERNEL)
                  : type);
    }
    String role = "the converted value";
    boolean isNumber =
        (node.isTruth()
                ? expressions.truth(operand.get(), node.operand(), role)
                : expressions.integer(operand.get(), node.operand(), role))
            .isPresent();
    if (isNumber
        && named.get() instanceof PointerType pointer
        && operand.get() instanceof PointerType old
        && old.space() == AddressSpace.USER) {
      return Optional.of(new PointerType(pointer.target(), AddressSpace.USER));
    }
    return isNumber ? named : Optional.empty();
  }

  /** An array has the bytes of a number, of a string, or of another array of its size. */
  private Optional<Type> toArray(
      Expr.Cast node, Type.ArrayType named, boolean hasLength, Type operand) {
    int bytes =
        node.operand() instanceof Expr.StringLiteral literal
            ? TextBytes.encode(literal.value()).length + 1
            : operand.size();
    int element = named.element().size();
    Type.ArrayType array =
        hasLength || element == 0
            ? named
            : new Type.ArrayType(named.element(), Math.max(1, bytes / element));
    boolean fits =
        named.element() instanceof IntType
            && (operand.isScalar()
                ? isNumberSize(array.size())
                : operand.isText()
                    ? element == 1
                    : operand instanceof Type.ArrayType && array.size() == operand.size());
    if (fits) {
      return Optional.of(array);
    }
    diagnostics.error(
        TYPE_MISMATCH,
        node.span(),
        TypeExpression.article(operand) + " cannot be read as " + array.name(),
        "an array of integers is cast from a number of 1, 2, 4 or 8 bytes, an array of the same"
            + " size, or a string");
    return Optional.empty();
  }

  private static boolean isNumberSize(int bytes) {
    return Integer.bitCount(bytes) == 1 && bytes <= Long.BYTES;
  }

  /** Returns whether a type is that of {@code ctx}, what it points to being unknown. */
  private static boolean isContextOfVoid(Type type) {
    return type instanceof PointerType pointer
        && pointer.space() == AddressSpace.CONTEXT
        && pointer.target() instanceof Type.VoidType;
  }

  /** Returns whether a type is an array of bytes that a number fills. */
  private static boolean isNumberInBytes(Type type) {
    return type instanceof Type.ArrayType array
        && array.element() instanceof IntType
        && !array.isText()
        && isNumberSize(array.size());
  }

  /** Returns the type that {@code sizeof} of a name measures: that of a constant, too. */
  Optional<Type> measured(TypeReference reference, SourceSpan span) {
    return reference instanceof TypeName name && new NamedType(target).constant(name).isPresent()
        ? new NamedType(target).constant(name)
        : named(reference, span);
  }

  /** Types {@code sizeof}. */
  Optional<Type> size(Optional<Type> measured) {
    return measured.map(type -> IntType.U64);
  }

  /** Types {@code offsetof}. */
  Optional<Type> offset(Expr.OffsetOf node) {
    Optional<Type> struct = named(node.type(), node.span());
    if (struct.isEmpty()) {
      return expressions.unknown();
    }
    if (new NamedType(target).offset(struct.get(), node.path()).isEmpty()) {
      diagnostics.error(
          UNKNOWN_FIELD,
          node.span(),
          struct.get().name()
              + " has no member \""
              + String.join(".", node.path())
              + "\" with an offset in bytes");
      return expressions.unknown();
    }
    return Optional.of(IntType.U64);
  }

  /** Types a conditional. */
  Optional<Type> choice(Expr.Conditional node) {
    int complaints = expressions.complaints();
    Optional<Type> condition = expressions.apply(node.condition());
    boolean isNumber =
        condition.isPresent()
            && expressions.truth(condition.get(), node.condition(), "a condition").isPresent();
    Optional<Type> then =
        node.then().isPresent() ? expressions.apply(node.then().get()) : condition;
    Optional<Type> otherwise = expressions.apply(node.otherwise());
    if (symbols.isGuessing() && expressions.complaints() == complaints) {
      boolean canBeNumber = isNumber || condition.isEmpty();
      return choice(node, canBeNumber, then.or(() -> otherwise), otherwise.or(() -> then));
    }
    return choice(node, isNumber, then, otherwise);
  }

  private Optional<Type> choice(
      Expr.Conditional node, boolean isNumber, Optional<Type> then, Optional<Type> otherwise) {
    if (!isNumber || then.isEmpty() || otherwise.isEmpty()) {
      return Optional.empty();
    }
    Optional<Type> both = common(then.get(), otherwise.get());
    if (both.isEmpty()) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.otherwise().span(),
          "this is "
              + TypeExpression.article(otherwise.get())
              + ", and the other value "
              + TypeExpression.article(then.get()),
          then.get() instanceof Type.EncodedString || otherwise.get() instanceof Type.EncodedString
              ? "this becomes a string only when printed: print one each in if and else"
              : "both branches must be numbers, strings, or tuples of the same elements");
    }
    return both;
  }

  private Optional<Type> common(Type then, Type otherwise) {
    if (then instanceof IntType a && otherwise instanceof IntType b) {
      if (a.isTruth() && b.isTruth()) {
        return Optional.of(IntType.TRUTH);
      }
      return Optional.of(symbols.dialect().common(a, b));
    }
    if (then.equals(otherwise) && then.isScalar()) {
      return Optional.of(then);
    }
    if (then.isScalar() && otherwise.isScalar()) {
      return Optional.of(IntType.U64);
    }
    boolean areTuples = then instanceof TupleType && otherwise instanceof TupleType;
    boolean areStrings =
        (TypeExpression.isText(then) && TypeExpression.isText(otherwise))
            || (then instanceof Type.EncodedString && otherwise instanceof Type.EncodedString);
    Optional<Type> both =
        areTuples || areStrings ? Conversions.unify(then, otherwise) : Optional.empty();
    return both.or(() -> Conversions.encodedOrText(then, otherwise));
  }

  /** Types an increment or decrement. */
  Optional<Type> step(Expr.Step node) {
    if (node.target() instanceof Expr.MapRead read) {
      Optional<Type> type = update(read.map(), IntType.S64);
      type.ifPresent(known -> expressions.note(read, known));
      return type;
    }
    Optional<Type> type = expressions.apply(node.target());
    boolean isSteppable =
        type.filter(known -> known instanceof IntType || TypeElement.isSteppable(known))
            .isPresent();
    if (type.isPresent() && !isSteppable) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.span(),
          "\""
              + node.op().symbol()
              + "\" changes a number; this is "
              + TypeExpression.article(type.get()));
      return Optional.empty();
    }
    return type;
  }

  /**
   * Types an entry that is changed in place; for a map without other stores, the operand's type
   * decides.
   */
  Optional<Type> update(MapRef map, IntType change) {
    symbols.mentionStore(map.name());
    expressions.applyKeys(map);
    if (symbols.isGuessing()) {
      symbols.guessContent(
          map.name(), new MapContent.Plain(TypeMapKey.widened(map, summed(change))));
    }
    if (symbols.content(map.name()).isEmpty()) {
      return Optional.empty();
    }
    MapContent content = symbols.content(map.name()).get();
    if (content instanceof MapContent.Plain && content.type().isScalar()) {
      return Optional.of(content.type());
    }
    diagnostics.error(
        MAP_MISMATCH,
        map.span(),
        "map \"" + map.name() + "\" holds " + CheckClause.describe(content) + ", not numbers",
        content instanceof MapContent.Aggregated aggregated
            ? "each hit is aggregated with "
                + map.name()
                + " = "
                + aggregated.function().canonicalName()
                + "(…);"
            : "use another map for it");
    return Optional.empty();
  }

  /** A total of durations is one. */
  private IntType summed(IntType change) {
    IntType promoted = symbols.dialect().promote(change);
    return change.format().isDuration() ? promoted.printedAs(IntFormat.DURATION) : promoted;
  }
}
