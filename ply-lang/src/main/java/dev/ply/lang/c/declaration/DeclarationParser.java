package dev.ply.lang.c.declaration;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Typedef;
import dev.ply.lang.c.expression.CNumber;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import dev.ply.lang.c.expression.CToken.Kind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Parses C's declarations between functions: of types, which are kept, and of functions and
 * variables, which are skipped with their bodies.
 */
public final class DeclarationParser {
  private final DeclarationTokens tokens;
  private final CScope scope;
  private final PackStack packs;
  private final Diagnostics diagnostics;
  private final boolean isScript;
  private final DeclarationConstants constants;
  private final TypeSpecifiers specifiers;
  private final AttributeParser attributes;
  private final DeclaratorParser declarators;

  public DeclarationParser(
      DeclarationTokens tokens,
      CScope scope,
      PackStack packs,
      Diagnostics diagnostics,
      boolean isScript) {
    this.tokens = tokens;
    this.scope = scope;
    this.packs = packs;
    this.diagnostics = diagnostics;
    this.isScript = isScript;
    this.constants = new DeclarationConstants(this, scope);
    this.attributes = new AttributeParser(this);
    this.specifiers = new TypeSpecifiers(this, attributes, scope);
    this.declarators = new DeclaratorParser(this, specifiers, attributes, scope);
  }

  CToken peek(int ahead) {
    return tokens.peek(ahead);
  }

  CToken take() {
    return tokens.take();
  }

  boolean skip(String text) {
    boolean isThere = peek(0).is(text);
    if (isThere) {
      CToken unused = take();
    }
    return isThere;
  }

  void expect(String text) throws CSyntaxException {
    if (!skip(text)) {
      throw unexpected(peek(0));
    }
  }

  static CSyntaxException unexpected(CToken token) {
    return new CSyntaxException(
        token,
        token.isEnd()
            ? "the definition of a type is not closed"
            : "unexpected \"" + token.text() + "\" in the definition of a type",
        "members are declared as in C: struct point { int x; char name[16]; struct point *next;"
            + " }");
  }

  /** Returns the value of the constant that is next. */
  CNumber constant() throws CSyntaxException {
    return constants.conditional();
  }

  PackStack packs() {
    return packs;
  }

  /** Returns whether a script's last declaration may do without its semicolon. */
  boolean isScript() {
    return isScript;
  }

  /** Parses all declarations to the end of the source. */
  public void all() {
    while (!peek(0).isEnd()) {
      one();
    }
    tokens.applyPragmas();
  }

  /** Parses a declaration; after an error, what follows is skipped to its end. */
  public void one() {
    int braces = tokens.braces();
    try {
      external();
    } catch (CSyntaxException e) {
      report(e);
      skipDeclaration(braces);
    }
  }

  void report(CSyntaxException e) {
    String message = String.valueOf(e.getMessage());
    if (e.hint().isEmpty()) {
      diagnostics.error(DiagnosticCode.SYNTAX, e.token().span(), message);
    } else {
      diagnostics.error(DiagnosticCode.SYNTAX, e.token().span(), message, e.hint());
    }
  }

  private void skipDeclaration(int braces) {
    while (!peek(0).isEnd()) {
      CToken token = take();
      if (tokens.braces() > braces) {
        continue;
      }
      if (token.is(";")) {
        return;
      }
      if (token.is("}")) {
        boolean unused = skip(";");
        return;
      }
    }
  }

  private void external() throws CSyntaxException {
    if (skip(";")) {
      return;
    }
    CToken first = peek(0);
    if (first.is("_Static_assert") || first.is("static_assert")) {
      assertion();
      return;
    }
    if (isAssembly(first)) {
      assembly();
      expect(";");
      return;
    }
    if (first.is("extern") && peek(1).kind() == Kind.STRING) {
      throw new CSyntaxException(
          peek(1), "this is C++", "declarations of C are read; test __cplusplus before it");
    }
    TypeSpecifiers.Specified type = specifiers.ofDeclaration();
    if (skip(";") || isEndOfScripts(type)) {
      return;
    }
    declarators(type);
  }

  /** In scripts a definition may do without a semicolon at its end. */
  private boolean isEndOfScripts(TypeSpecifiers.Specified type) {
    CToken next = peek(0);
    return isScript
        && type.hasBody()
        && !type.isTypedef()
        && !next.is("*")
        && !(next.isName() && List.of(";", ",", "[", "=").contains(peek(1).text()));
  }

  private void declarators(TypeSpecifiers.Specified type) throws CSyntaxException {
    do {
      CToken start = peek(0);
      DeclaratorParser.Declared declared = declarator(type.type());
      CAttributes own = new CAttributes();
      if (isAssembly(peek(0))) {
        assembly();
      }
      attributes.parse(own);
      if (declared.isFunction() && !isScript) {
        // Macros that say more of a function, from headers that are not read.
        while (peek(0).isName() && !specifiers.isKeyword(peek(0))) {
          CToken unused = take();
          if (peek(0).is("(")) {
            balanced("(", ")");
          }
          attributes.parse(own);
        }
      }
      if (declared.name().isEmpty()) {
        throw unexpected(start.isEnd() ? start : peek(0));
      }
      if (type.isTypedef()) {
        own.addAll(type.attributes());
        typedef(declared, own);
      } else if (declared.isFunction() && peek(0).is("{")) {
        balanced("{", "}");
        boolean unused = skip(";");
        return;
      } else if (skip("=")) {
        initializer();
      } else if (!declared.isFunction()) {
        requireNoMacro(declared.name().get());
      }
    } while (skip(","));
    expect(";");
  }

  /**
   * A name after a closing brace that looks like an attribute is none: what defines it is missing.
   */
  private static void requireNoMacro(CToken name) throws CSyntaxException {
    String text = name.text();
    boolean isAttribute =
        text.startsWith("__") && (text.contains("pack") || text.contains("align"));
    if (isAttribute) {
      throw new CSyntaxException(
          name,
          "\"" + text + "\" is not defined",
          "if it is an attribute, #define it or write it out: __attribute__((packed))");
    }
  }

  private void typedef(DeclaratorParser.Declared declared, CAttributes own)
      throws CSyntaxException {
    own.requireKnown();
    CToken name = declared.name().orElseThrow();
    FieldType type = own.changesType() ? attributes.ofMode(declared.type(), own) : declared.type();
    define(new Typedef(name.text(), type, own.lastAlignment(), name.span()), name);
  }

  /** Adds a definition, which must be the same as others of its name. */
  void define(TypeDefinition definition, CToken place) {
    if (!scope.add(definition)) {
      diagnostics.error(
          DiagnosticCode.DECLARED_TWICE,
          place.span(),
          "\"" + place.text() + "\" is defined already, as another type",
          "a name can be defined twice only if both definitions are the same");
    }
  }

  void warn(CToken place, String message) {
    diagnostics.warning(DiagnosticCode.SYNTAX, place.span(), message);
  }

  private static boolean isAssembly(CToken token) {
    return token.is("asm") || token.is("__asm__") || token.is("__asm");
  }

  private void assembly() throws CSyntaxException {
    while (!peek(0).is("(")) {
      if (peek(0).isEnd()) {
        throw unexpected(peek(0));
      }
      CToken unused = take();
    }
    balanced("(", ")");
  }

  private void initializer() throws CSyntaxException {
    while (!peek(0).is(",") && !peek(0).is(";")) {
      if (peek(0).is("{")) {
        balanced("{", "}");
      } else if (peek(0).is("(")) {
        balanced("(", ")");
      } else if (peek(0).isEnd()) {
        throw unexpected(peek(0));
      } else {
        CToken unused = take();
      }
    }
  }

  /** Skips everything to the bracket that closes the next token. */
  void balanced(String open, String close) throws CSyntaxException {
    int nesting = 0;
    do {
      CToken token = take();
      if (token.isEnd()) {
        throw unexpected(token);
      }
      nesting += token.is(open) ? 1 : token.is(close) ? -1 : 0;
    } while (nesting > 0);
  }

  /** {@code _Static_assert(condition, "text");}. */
  void assertion() throws CSyntaxException {
    CToken keyword = take();
    expect("(");
    String text = "";
    try {
      CNumber value = constant();
      if (skip(",")) {
        text = ": " + take().text();
      }
      if (!value.isTrue()) {
        throw new CSyntaxException(
            keyword, "the assertion is false" + text, "the layout here is that of C");
      }
    } catch (CSyntaxException e) {
      // Headers assert sizes of types that nothing here has to know.
      if (!e.isUnknownSize() || isScript) {
        throw e;
      }
    }
    while (!peek(0).is(")")) {
      if (peek(0).is("(")) {
        balanced("(", ")");
        continue;
      }
      if (take().isEnd()) {
        throw unexpected(peek(0));
      }
    }
    expect(")");
    expect(";");
  }

  /** Parses a declarator of a type, whose name is optional. */
  DeclaratorParser.Declared declarator(FieldType base) throws CSyntaxException {
    return declarators.parse(base);
  }

  /** Returns a length or width, small enough for what is computed with it. */
  int size() throws CSyntaxException {
    CToken start = peek(0);
    CNumber value = constant();
    if (value.value() < 0 || value.value() > Integer.MAX_VALUE) {
      throw new CSyntaxException(
          start,
          "\"" + start.text() + "\" is too large or negative",
          "lengths of arrays and widths of bit-fields are 0 to " + Integer.MAX_VALUE);
    }
    return (int) value.value();
  }

  /** Returns whether a type begins at a token that has not been taken. */
  boolean isTypeAt(int ahead) {
    CToken token = peek(ahead);
    return token.isName()
        && (specifiers.isTypeKeyword(token)
            || (scope.isType(token.text()) && !peek(ahead + 1).is("(")));
  }

  /** Parses the name of a type: {@code struct a *}, {@code int (*)[4]}. */
  FieldType typeName() throws CSyntaxException {
    TypeSpecifiers.Specified type = specifiers.ofTypeName();
    return declarator(type.type()).type();
  }

  /** Returns what a type is aligned to, in bytes; empty if it is unknown. */
  Optional<Integer> alignment(FieldType type) {
    OptionalInt found = scope.layouts().alignment(type);
    return found.isPresent() ? Optional.of(found.getAsInt()) : Optional.empty();
  }

  /** Returns the size of a type in bytes; empty if it is unknown. */
  OptionalInt bytes(FieldType type) {
    return scope.layouts().size(type);
  }

  /** The keywords that a declaration begins with. */
  public static Set<String> keywords() {
    return TypeSpecifiers.BEGINNINGS;
  }
}
