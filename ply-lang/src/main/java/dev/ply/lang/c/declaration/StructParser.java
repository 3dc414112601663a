package dev.ply.lang.c.declaration;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeDefinition.Packing;
import dev.ply.ir.TypeDefinition.Struct;
import dev.ply.ir.TypeName;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Parses structures and unions with their members. */
final class StructParser {
  private static final int DEEPEST = 60;

  private final DeclarationParser parser;
  private final TypeSpecifiers specifiers;
  private final AttributeParser attributes;
  private int depth;

  /** A structure, or the name of one. */
  record Parsed(FieldType type, boolean hasBody) {}

  StructParser(DeclarationParser parser, TypeSpecifiers specifiers, AttributeParser attributes) {
    this.parser = parser;
    this.specifiers = specifiers;
    this.attributes = attributes;
  }

  /** {@code struct tag { … }} or {@code struct tag}, with the attributes of the type. */
  Parsed parse() throws CSyntaxException {
    CToken keyword = parser.take();
    boolean isUnion = keyword.is("union");
    CAttributes own = new CAttributes();
    attributes.parse(own);
    Optional<CToken> tag = Optional.empty();
    if (parser.peek(0).isName()) {
      tag = Optional.of(parser.take());
    }
    attributes.parse(own);
    if (!parser.peek(0).is("{")) {
      if (tag.isEmpty()) {
        throw DeclarationParser.unexpected(parser.peek(0));
      }
      return new Parsed(named(keyword.text() + " " + tag.get().text()), false);
    }
    if (++depth > DEEPEST) {
      throw new CSyntaxException(parser.peek(0), "this structure is nested too deeply", "");
    }
    parser.expect("{");
    List<Field> fields = new ArrayList<>();
    while (!parser.peek(0).is("}")) {
      member(fields);
    }
    CToken end = parser.take();
    depth--;
    int limit = parser.packs().limit();
    attributes.parse(own);
    own.requireKnown();
    SourceSpan span =
        keyword.span().source().equals(end.span().source())
            ? keyword.span().through(end.span())
            : keyword.span();
    Struct struct =
        new Struct(
            tag.map(CToken::text).orElse(""),
            isUnion,
            new Packing(own.isPacked(), limit, own.lastAlignment()),
            fields,
            Optional.empty(),
            span);
    if (tag.isEmpty()) {
      return new Parsed(new FieldType.Nested(struct), true);
    }
    // C has no scopes within structures: an inner one is known by its tag everywhere.
    parser.define(struct, tag.get());
    return new Parsed(named(struct.name()), true);
  }

  /** {@code type name, *name, name[16], name:3;}. */
  private void member(List<Field> fields) throws CSyntaxException {
    CToken first = parser.peek(0);
    if (parser.skip(";")) {
      return;
    }
    if (first.is("_Static_assert") || first.is("static_assert")) {
      parser.assertion();
      return;
    }
    TypeSpecifiers.Specified type = specifiers.ofDeclaration();
    if (parser.peek(0).is(";") || (type.hasBody() && parser.peek(0).is("}"))) {
      boolean unused = parser.skip(";");
      if (type.type() instanceof FieldType.Nested) {
        fields.add(field("", type.type(), OptionalInt.empty(), type.attributes()));
      } else if (!type.hasBody()) {
        throw DeclarationParser.unexpected(parser.peek(0));
      }
      return;
    }
    do {
      declarator(type, fields);
    } while (parser.skip(","));
    // bpftrace does without the last one.
    if (!parser.peek(0).is("}")) {
      parser.expect(";");
    }
  }

  private void declarator(TypeSpecifiers.Specified type, List<Field> fields)
      throws CSyntaxException {
    CAttributes own = new CAttributes();
    String name = "";
    FieldType declared = type.type();
    boolean isUnnamed = parser.peek(0).is(":");
    if (!isUnnamed) {
      CToken start = parser.peek(0);
      try {
        DeclaratorParser.Declared one = parser.declarator(type.type());
        if (one.name().isEmpty() || one.isFunction()) {
          throw DeclarationParser.unexpected(one.name().orElse(parser.peek(0)));
        }
        name = one.name().get().text();
        declared = one.type();
      } catch (CSyntaxException e) {
        if (!e.isUnknownSize() || parser.isScript()) {
          throw e;
        }
        // Only who uses the structure has to know.
        name = start.text();
        declared = named("array of unknown length");
        while (!parser.peek(0).is(";") && !parser.peek(0).isEnd()) {
          CToken unused = parser.take();
        }
      }
    }
    attributes.parse(own);
    OptionalInt bits = OptionalInt.empty();
    if (parser.skip(":")) {
      bits = OptionalInt.of(parser.size());
    } else if (isUnnamed) {
      throw DeclarationParser.unexpected(parser.peek(0));
    }
    attributes.parse(own);
    own.addAll(type.attributes());
    fields.add(field(name, attributes.ofMode(declared, own), bits, own));
  }

  /** Dimensions of a member itself are its own. */
  private static Field field(String name, FieldType type, OptionalInt bits, CAttributes own)
      throws CSyntaxException {
    own.requireKnown();
    List<Integer> dimensions = new ArrayList<>();
    FieldType element = type;
    while (element instanceof FieldType.Array array) {
      dimensions.add(array.length());
      element = array.element();
    }
    return new Field(name, element, dimensions, bits, own.isPacked(), own.alignment());
  }

  private static FieldType named(String name) {
    return new FieldType.Named(new TypeName(name, 0));
  }
}
