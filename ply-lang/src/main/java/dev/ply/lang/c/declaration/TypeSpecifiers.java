package dev.ply.lang.c.declaration;

import dev.ply.ir.TypeDefinition.Enumeration;
import dev.ply.ir.TypeDefinition.Enumerator;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeName;
import dev.ply.lang.c.expression.CNumber;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parses what stands before the names of a declaration: {@code typedef const unsigned long}. */
final class TypeSpecifiers {
  /** Whether specifiers begin a declaration or a type name. */
  private enum Use {
    DECLARATION,
    TYPE_NAME
  }

  private static final Set<String> QUALIFIERS =
      Set.of(
          """
          const volatile restrict __const __const__ __volatile __volatile__ __restrict __restrict__ \
          _Atomic __extension__ _Nonnull _Nullable _Null_unspecified __unaligned\
          """
              .split("\\s+"));

  private static final Set<String> STORAGE =
      Set.of(
          """
          typedef extern static inline __inline __inline__ register auto _Noreturn noreturn \
          _Thread_local __thread thread_local constexpr\
          """
              .split("\\s+"));

  /** The words of arithmetic types, and what each is called otherwise. */
  private static final Map<String, String> NUMBERS =
      Map.ofEntries(
          Map.entry("char", "char"),
          Map.entry("short", "short"),
          Map.entry("int", "int"),
          Map.entry("long", "long"),
          Map.entry("signed", "signed"),
          Map.entry("__signed", "signed"),
          Map.entry("__signed__", "signed"),
          Map.entry("unsigned", "unsigned"),
          Map.entry("__unsigned__", "unsigned"),
          Map.entry("float", "float"),
          Map.entry("double", "double"),
          Map.entry("void", "void"),
          Map.entry("_Bool", "bool"),
          Map.entry("__int128", "__int128"),
          Map.entry("__int128_t", "__int128"),
          Map.entry("__uint128_t", "unsigned __int128"),
          Map.entry("__float128", "__float128"),
          Map.entry("_Float128", "_Float128"),
          Map.entry("_Float64x", "long double"),
          Map.entry("_Float64", "double"),
          Map.entry("_Float32x", "double"),
          Map.entry("_Float32", "float"),
          Map.entry("_Complex", "_Complex"),
          Map.entry("__complex__", "_Complex"));

  private static final Set<String> TAGGED = Set.of("struct", "union", "enum");
  private static final Set<String> TYPEOF =
      Set.of("typeof", "__typeof__", "__typeof", "typeof_unqual");

  /** The words that begin a declaration in a script, where a probe could stand, too. */
  static final Set<String> BEGINNINGS =
      Set.of(
          """
          struct union enum typedef extern static inline __inline __inline__ _Noreturn const \
          volatile __extension__ __attribute__ _Static_assert static_assert _Alignas _Pragma \
          char short int long signed unsigned float double void _Bool __int128\
          """
              .split("\\s+"));

  private final DeclarationParser parser;
  private final AttributeParser attributes;
  private final StructParser structs;
  private final CScope scope;

  /**
   * What stands before the names.
   *
   * @param attributes of what is declared
   * @param hasBody whether it ends with the definition of a type
   */
  record Specified(FieldType type, CAttributes attributes, boolean isTypedef, boolean hasBody) {}

  TypeSpecifiers(DeclarationParser parser, AttributeParser attributes, CScope scope) {
    this.parser = parser;
    this.attributes = attributes;
    this.scope = scope;
    this.structs = new StructParser(parser, this, attributes);
  }

  boolean isQualifier(CToken token) {
    return token.isName() && QUALIFIERS.contains(token.text());
  }

  /** Returns whether a word can be no name. */
  boolean isKeyword(CToken token) {
    return isQualifier(token)
        || isTypeKeyword(token)
        || (STORAGE.contains(token.text()) && token.isName());
  }

  boolean isTypeKeyword(CToken token) {
    return token.isName()
        && (NUMBERS.containsKey(token.text())
            || TAGGED.contains(token.text())
            || TYPEOF.contains(token.text())
            || QUALIFIERS.contains(token.text()));
  }

  /** Parses the specifiers of a declaration. */
  Specified ofDeclaration() throws CSyntaxException {
    return parse(Use.DECLARATION);
  }

  /** Parses the specifiers of a type's name, which has no storage class. */
  Specified ofTypeName() throws CSyntaxException {
    return parse(Use.TYPE_NAME);
  }

  private Specified parse(Use use) throws CSyntaxException {
    List<String> words = new ArrayList<>();
    Optional<FieldType> type = Optional.empty();
    CAttributes own = new CAttributes();
    boolean isTypedef = false;
    boolean hasBody = false;
    Optional<CToken> packed = Optional.empty();
    CToken start = parser.peek(0);
    while (true) {
      CToken token = parser.peek(0);
      if (attributes.isNext() && !token.is("[")) {
        attributes.parse(own);
        packed = type.isEmpty() && words.isEmpty() ? own.packedAt() : packed;
      } else if (token.is("[") && parser.peek(1).is("[") && type.isEmpty() && words.isEmpty()) {
        attributes.parse(own);
      } else if (token.is("_Atomic") && parser.peek(1).is("(")) {
        CToken unused = parser.take();
        type = Optional.of(inParentheses());
      } else if (isQualifier(token)) {
        CToken unused = parser.take();
      } else if (use == Use.DECLARATION && token.isName() && STORAGE.contains(token.text())) {
        isTypedef |= parser.take().is("typedef");
      } else if (token.isName() && NUMBERS.containsKey(token.text()) && type.isEmpty()) {
        words.add(NUMBERS.getOrDefault(parser.take().text(), ""));
      } else if (type.isPresent() || !words.isEmpty() || !token.isName()) {
        break;
      } else if (TYPEOF.contains(token.text())) {
        CToken unused = parser.take();
        type = Optional.of(inParentheses());
      } else if (token.is("enum")) {
        CToken unused = parser.take();
        EnumType found = enumeration(token);
        hasBody = found.hasBody();
        type = Optional.of(found.type());
      } else if (TAGGED.contains(token.text())) {
        StructParser.Parsed struct = structs.parse();
        hasBody = struct.hasBody();
        type = Optional.of(struct.type());
      } else {
        type = Optional.of(new FieldType.Named(new TypeName(parser.take().text(), 0)));
      }
    }
    if (type.isEmpty() && words.isEmpty()) {
      throw DeclarationParser.unexpected(start.isEnd() ? start : parser.peek(0));
    }
    if (packed.isPresent() && hasBody) {
      parser.warn(
          packed.get(),
          "\""
              + packed.get().text()
              + "\" has no effect here, as in C: it follows the word struct, or"
              + " the closing brace");
    }
    FieldType whole =
        type.orElseGet(() -> new FieldType.Named(new TypeName(String.join(" ", words), 0)));
    return new Specified(attributes.ofMode(whole, own), own, isTypedef, hasBody);
  }

  /** {@code (type)}; types of expressions are not known here. */
  private FieldType inParentheses() throws CSyntaxException {
    if (parser.peek(0).is("(") && parser.isTypeAt(1)) {
      parser.expect("(");
      FieldType type = parser.typeName();
      parser.expect(")");
      return type;
    }
    parser.balanced("(", ")");
    return new FieldType.Named(new TypeName("typeof(…)", 0));
  }

  private record EnumType(FieldType type, boolean hasBody) {}

  /** {@code enum tag { A, B = 5 }}, after the keyword. */
  private EnumType enumeration(CToken keyword) throws CSyntaxException {
    CAttributes own = new CAttributes();
    attributes.parse(own);
    Optional<CToken> tag = Optional.empty();
    if (parser.peek(0).isName()) {
      tag = Optional.of(parser.take());
    }
    attributes.parse(own);
    int bytes = Integer.BYTES;
    boolean isFixed = parser.peek(0).is(":") && parser.isTypeAt(1);
    if (isFixed) {
      parser.expect(":");
      CToken place = parser.peek(0);
      FieldType underlying = parser.typeName();
      bytes = scope.layouts().size(underlying).orElse(0);
      if (bytes == 0) {
        throw CSyntaxException.unknownSize(place, FieldTypes.text(underlying));
      }
    }
    if (!parser.peek(0).is("{")) {
      if (tag.isEmpty()) {
        throw DeclarationParser.unexpected(parser.peek(0));
      }
      return new EnumType(named("enum " + tag.get().text()), false);
    }
    parser.expect("{");
    List<Enumerator> constants = new ArrayList<>();
    CNumber value = CNumber.ofInt(0);
    while (!parser.peek(0).is("}")) {
      CToken name = parser.take();
      if (!name.isName()) {
        throw DeclarationParser.unexpected(name);
      }
      attributes.parse(new CAttributes());
      if (parser.skip("=")) {
        value = parser.constant();
      }
      scope.addConstant(name.text(), value);
      boolean isUnsigned = value.isUnsigned() && value.value() < 0;
      constants.add(new Enumerator(name.text(), value.value(), isUnsigned));
      value = next(value);
      if (!parser.skip(",") && !parser.peek(0).is("}")) {
        throw DeclarationParser.unexpected(parser.peek(0));
      }
    }
    CToken end = parser.take();
    attributes.parse(own);
    own.requireKnown();
    if (own.isPacked()) {
      bytes = 1;
    }
    int size = isFixed ? bytes : CScope.bytes(constants, bytes);
    // What has no tag, but constants, is known by the first of them.
    boolean isVariable = tag.isEmpty() && !constants.isEmpty() && !parser.peek(0).is(";");
    String name =
        tag.map(CToken::text).orElseGet(() -> isVariable ? "enum_" + constants.get(0).name() : "");
    parser.define(
        new Enumeration(name, constants, size, keyword.span().through(end.span())),
        tag.orElse(keyword));
    return new EnumType(named(name.isEmpty() ? "int" : "enum " + name), true);
  }

  private static CNumber next(CNumber value) {
    long after = value.value() + 1;
    boolean fits =
        value.bytes() > Integer.BYTES || value.isUnsigned() || after <= Integer.MAX_VALUE;
    return fits
        ? CNumber.of(after, value.isUnsigned(), value.bytes())
        : new CNumber(after, false, Long.BYTES);
  }

  private static FieldType named(String name) {
    return new FieldType.Named(new TypeName(name, 0));
  }
}
