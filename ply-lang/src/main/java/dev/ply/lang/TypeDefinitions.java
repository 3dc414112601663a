package dev.ply.lang;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeDefinition.Enumeration;
import dev.ply.ir.TypeDefinition.Enumerator;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

/**
 * Parses the types that a script defines between its probes, {@code struct}, {@code union} and
 * {@code enum}, and removes them from its tokens. C's declarations have a grammar of their own.
 */
final class TypeDefinitions {
  private final Positions positions;
  private final Diagnostics diagnostics;
  private final List<TypeDefinition> definitions = new ArrayList<>();

  /** Of the enumerations so far. */
  private final Map<String, Long> enumerators = new HashMap<>();

  private List<Token> tokens = List.of();
  private int next;

  /** Thrown at the first token that does not fit a declaration. */
  private static final class Unexpected extends Exception {
    private static final long serialVersionUID = 1L;
  }

  TypeDefinitions(Positions positions, Diagnostics diagnostics) {
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns the definitions in source order. */
  List<TypeDefinition> definitions() {
    return definitions;
  }

  /** Returns the names of the constants that enumerations define. */
  Set<String> constants() {
    Set<String> names = new HashSet<>();
    for (TypeDefinition definition : definitions) {
      if (definition instanceof Enumeration enumeration) {
        enumeration.enumerators().forEach(constant -> names.add(constant.name()));
      }
    }
    return names;
  }

  /** Returns a script's tokens without its definitions of types. */
  List<Token> removeFrom(List<Token> all) {
    tokens = all;
    List<Token> rest = new ArrayList<>();
    next = 0;
    while (next < all.size()) {
      Token token = all.get(next);
      if (token.getType() != PlyLexer.TAGGED) {
        rest.add(token);
        next++;
        continue;
      }
      if (isBody(next) || isAttribute(next + 1) || isAttribute(next + 2)) {
        definition(token);
      } else {
        CommonToken stray = new CommonToken(token);
        stray.setType(PlyLexer.OTHER);
        rest.add(stray);
        next++;
      }
    }
    return rest;
  }

  private void definition(Token start) {
    try {
      if (start.getText().equals("enum")) {
        definitions.add(enumeration());
      } else {
        Struct struct = struct();
        boolean isPacked = attribute() || struct.isPacked();
        definitions.add(
            new Struct(struct.tag(), struct.isUnion(), isPacked, struct.fields(), struct.span()));
      }
      skip(PlyLexer.SEMICOLON);
    } catch (Unexpected e) {
      Token found = tokens.get(Math.min(next, tokens.size() - 1));
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          positions.of(found),
          "unexpected \"" + found.getText() + "\" in the definition of a type",
          "members are declared as in C: struct point { int x; char name[16]; struct point *next;"
              + " }");
      skipDefinition(start);
    }
  }

  /** Continues after the closing brace of a definition with an error. */
  private void skipDefinition(Token start) {
    next = tokens.indexOf(start) + 1;
    int depth = 0;
    while (typeAt(next) != Token.EOF) {
      int type = typeAt(next++);
      depth += type == PlyLexer.LBRACE ? 1 : type == PlyLexer.RBRACE ? -1 : 0;
      if (type == PlyLexer.RBRACE && depth == 0) {
        skip(PlyLexer.SEMICOLON);
        return;
      }
    }
  }

  /** {@code struct tag { … }}, from its keyword to its closing brace. */
  private Struct struct() throws Unexpected {
    SourceSpan start = positions.of(tokens.get(next));
    boolean isUnion = take().getText().equals("union");
    boolean isPacked = attribute();
    String tag = typeAt(next) == PlyLexer.NAME ? take().getText() : "";
    isPacked |= attribute();
    expect(PlyLexer.LBRACE);
    List<Field> fields = new ArrayList<>();
    while (typeAt(next) != PlyLexer.RBRACE) {
      member(fields);
    }
    SourceSpan end = positions.of(take());
    return new Struct(tag, isUnion, isPacked, fields, start.through(end));
  }

  /** {@code type name, *name, name[16], name:3;}. */
  private void member(List<Field> fields) throws Unexpected {
    List<String> words = new ArrayList<>();
    Optional<Struct> nested = Optional.empty();
    if (isTagged(next) && isBody(next)) {
      Struct struct = struct();
      boolean isPacked = attribute() || struct.isPacked();
      nested =
          Optional.of(
              new Struct(struct.tag(), struct.isUnion(), isPacked, struct.fields(), struct.span()));
      if (skip(PlyLexer.SEMICOLON)) {
        fields.add(
            new Field("", new FieldType.Nested(nested.get()), List.of(), OptionalInt.empty()));
        return;
      }
    } else {
      // The last name before a declarator's end is the member's own.
      while (typeAt(next) == PlyLexer.NAME && !isDeclaratorEnd(next + 1)) {
        String word = take().getText();
        if (!word.equals("const") && !word.equals("volatile")) {
          words.add(word);
        }
      }
      if (words.isEmpty()) {
        throw new Unexpected();
      }
    }
    String base = String.join(" ", words);
    do {
      int stars = 0;
      while (skip(PlyLexer.STAR)) {
        stars++;
      }
      if (typeAt(next) == PlyLexer.LPAREN) {
        fields.add(function());
        continue;
      }
      String name = typeAt(next) == PlyLexer.COLON ? "" : expect(PlyLexer.NAME).getText();
      List<Integer> dimensions = new ArrayList<>();
      while (skip(PlyLexer.LBRACKET)) {
        dimensions.add(typeAt(next) == PlyLexer.RBRACKET ? 0 : size());
        expect(PlyLexer.RBRACKET);
      }
      OptionalInt bits = skip(PlyLexer.COLON) ? OptionalInt.of(size()) : OptionalInt.empty();
      FieldType type =
          nested.isPresent() && stars == 0
              ? new FieldType.Nested(nested.get())
              : new FieldType.Named(
                  nested.isPresent() ? new TypeName("void", stars) : new TypeName(base, stars));
      fields.add(new Field(name, type, dimensions, bits));
    } while (skip(PlyLexer.COMMA));
    // bpftrace does without the last one.
    if (typeAt(next) != PlyLexer.RBRACE) {
      expect(PlyLexer.SEMICOLON);
    }
  }

  /** {@code (*name)(int, void *)}: an address of code, whose parameters do not matter. */
  private Field function() throws Unexpected {
    expect(PlyLexer.LPAREN);
    expect(PlyLexer.STAR);
    String name = expect(PlyLexer.NAME).getText();
    expect(PlyLexer.RPAREN);
    expect(PlyLexer.LPAREN);
    int depth = 1;
    while (depth > 0) {
      int type = take().getType();
      depth += type == PlyLexer.LPAREN ? 1 : type == PlyLexer.RPAREN ? -1 : 0;
    }
    return new Field(
        name, new FieldType.Named(new TypeName("void", 1)), List.of(), OptionalInt.empty());
  }

  private boolean isDeclaratorEnd(int index) {
    return switch (typeAt(index)) {
      case PlyLexer.SEMICOLON, PlyLexer.COMMA, PlyLexer.LBRACKET, PlyLexer.COLON, PlyLexer.RBRACE ->
          true;
      default -> false;
    };
  }

  private boolean isTagged(int index) {
    String word = tokens.get(index).getText();
    return word.equals("struct") || word.equals("union");
  }

  private boolean isBody(int index) {
    return typeAt(index + 1) == PlyLexer.LBRACE
        || (typeAt(index + 1) == PlyLexer.NAME && typeAt(index + 2) == PlyLexer.LBRACE);
  }

  /** {@code enum tag { A, B = 5 }}. */
  private Enumeration enumeration() throws Unexpected {
    SourceSpan start = positions.of(take());
    String tag = typeAt(next) == PlyLexer.NAME ? take().getText() : "";
    expect(PlyLexer.LBRACE);
    List<Enumerator> constants = new ArrayList<>();
    long value = 0;
    while (typeAt(next) != PlyLexer.RBRACE) {
      String name = expect(PlyLexer.NAME).getText();
      if (skip(PlyLexer.ASSIGN)) {
        value = constant();
      }
      enumerators.put(name, value);
      constants.add(new Enumerator(name, value++));
      if (!skip(PlyLexer.COMMA) && typeAt(next) != PlyLexer.RBRACE) {
        throw new Unexpected();
      }
    }
    return new Enumeration(tag, constants, start.through(positions.of(take())));
  }

  /** {@code __attribute__((packed))}, or another attribute; returns whether it is packed. */
  private boolean attribute() throws Unexpected {
    boolean isPacked = false;
    while (isAttribute(next)) {
      next++;
      int depth = 0;
      do {
        Token token = take();
        depth +=
            token.getType() == PlyLexer.LPAREN ? 1 : token.getType() == PlyLexer.RPAREN ? -1 : 0;
        isPacked |= token.getText().equals("packed");
      } while (depth > 0);
    }
    return isPacked;
  }

  private boolean isAttribute(int index) {
    return typeAt(index) == PlyLexer.NAME && tokens.get(index).getText().equals("__attribute__");
  }

  private long constant() throws Unexpected {
    ConstantParser parser = new ConstantParser(tokens, next, enumerators);
    OptionalLong value = parser.parse();
    next = parser.end();
    return value.orElseThrow(Unexpected::new);
  }

  /** A length or width, small enough for what is computed with it. */
  private int size() throws Unexpected {
    int start = next;
    long value = constant();
    if (value < 0 || value > Integer.MAX_VALUE) {
      next = start;
      throw new Unexpected();
    }
    return (int) value;
  }

  private boolean skip(int type) {
    boolean isThere = typeAt(next) == type;
    next += isThere ? 1 : 0;
    return isThere;
  }

  private Token expect(int type) throws Unexpected {
    if (typeAt(next) != type) {
      throw new Unexpected();
    }
    return tokens.get(next++);
  }

  private Token take() throws Unexpected {
    if (typeAt(next) == Token.EOF) {
      throw new Unexpected();
    }
    return tokens.get(next++);
  }

  private int typeAt(int index) {
    return index < tokens.size() ? tokens.get(index).getType() : Token.EOF;
  }
}
