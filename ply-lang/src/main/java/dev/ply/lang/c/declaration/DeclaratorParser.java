package dev.ply.lang.c.declaration;

import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeName;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import java.util.Optional;

/** Parses declarators: the part of a declaration around a name. */
final class DeclaratorParser {
  private static final int DEEPEST = 100;

  private final DeclarationParser parser;
  private final TypeSpecifiers specifiers;
  private final AttributeParser attributes;
  private final CScope scope;
  private int depth;

  /** A declared name with its type; the name is empty if it has none. */
  record Declared(Optional<CToken> name, FieldType type, boolean isFunction) {}

  /** A part of a declarator: each wraps the type built so far. */
  private sealed interface Part {
    /** The declared name. */
    record Name(Optional<CToken> token) implements Part {}

    /** A pointer to what is around. */
    record Pointer(Part inner) implements Part {}

    /** An array of what is around. */
    record Array(Part inner, int length) implements Part {}

    /** A function that returns what is around. */
    record Function(Part inner) implements Part {}
  }

  DeclaratorParser(
      DeclarationParser parser,
      TypeSpecifiers specifiers,
      AttributeParser attributes,
      CScope scope) {
    this.parser = parser;
    this.specifiers = specifiers;
    this.attributes = attributes;
    this.scope = scope;
  }

  /**
   * Parses a declarator of a type: {@code *name[4]}, {@code (*name)(int)}; its name is optional.
   */
  Declared parse(FieldType base) throws CSyntaxException {
    Part part = part();
    boolean isFunction = false;
    FieldType type = base;
    Part at = part;
    // The part that is farthest from the name is applied first.
    while (!(at instanceof Part.Name)) {
      if (at instanceof Part.Pointer pointer) {
        type = FieldTypes.pointerTo(type);
        at = pointer.inner();
      } else if (at instanceof Part.Array array) {
        type = new FieldType.Array(type, array.length());
        at = array.inner();
      } else {
        type = new FieldType.Named(new TypeName("void", 0));
        at = ((Part.Function) at).inner();
        isFunction = at instanceof Part.Name;
      }
    }
    return new Declared(((Part.Name) at).token(), type, isFunction);
  }

  private Part part() throws CSyntaxException {
    depth++;
    try {
      if (depth > DEEPEST) {
        throw new CSyntaxException(parser.peek(0), "this declaration is nested too deeply", "");
      }
      int stars = stars();
      Part inner = direct();
      // Suffixes bind tighter than stars: pointers are the outermost parts.
      for (int i = 0; i < stars; i++) {
        inner = new Part.Pointer(inner);
      }
      return inner;
    } finally {
      depth--;
    }
  }

  private int stars() throws CSyntaxException {
    int stars = 0;
    while (true) {
      CToken next = parser.peek(0);
      if (attributes.isNext()) {
        attributes.parse(new CAttributes());
      } else if (next.is("*") || next.is("^") || specifiers.isQualifier(next)) {
        stars += parser.take().is("*") ? 1 : 0;
      } else {
        return stars;
      }
    }
  }

  private Part direct() throws CSyntaxException {
    Part part;
    if (parser.peek(0).is("(") && isNested()) {
      CToken unused = parser.take();
      part = part();
      parser.expect(")");
    } else if (parser.peek(0).isName() && !specifiers.isKeyword(parser.peek(0))) {
      part = new Part.Name(Optional.of(parser.take()));
    } else {
      part = new Part.Name(Optional.empty());
    }
    // name[2][3] is an array of two arrays: the last suffix is the outermost part.
    while (parser.peek(0).is("[") || parser.peek(0).is("(")) {
      if (parser.peek(0).is("[")) {
        part = new Part.Array(part, length());
      } else {
        parser.balanced("(", ")");
        part = new Part.Function(part);
      }
    }
    return part;
  }

  /** Returns whether a parenthesis holds a declarator and no parameters. */
  private boolean isNested() {
    CToken next = parser.peek(1);
    return next.is("*")
        || next.is("^")
        || next.is("(")
        || next.is("__attribute__")
        || (next.isName() && !specifiers.isKeyword(next) && !scope.isType(next.text()));
  }

  /** {@code [4]}; an array without a length has none. */
  private int length() throws CSyntaxException {
    parser.expect("[");
    while (specifiers.isQualifier(parser.peek(0)) || parser.peek(0).is("static")) {
      CToken unused = parser.take();
    }
    if (parser.skip("]")) {
      return 0;
    }
    if (parser.peek(0).is("*") && parser.peek(1).is("]")) {
      CToken unused = parser.take();
      parser.expect("]");
      return 0;
    }
    int length = parser.size();
    parser.expect("]");
    return length;
  }
}
