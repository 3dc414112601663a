package dev.ply.lang.c.declaration;

import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.ir.TypeName;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import java.util.Optional;

/**
 * Parses attributes: {@code __attribute__((packed))}, {@code [[gnu::packed]]}, {@code
 * _Alignas(16)}.
 */
final class AttributeParser {
  /** The alignment of {@code aligned} without a number, that of the largest vectors. */
  private static final int LARGEST = 16;

  private final DeclarationParser parser;

  AttributeParser(DeclarationParser parser) {
    this.parser = parser;
  }

  /** Returns whether an attribute is next. */
  boolean isNext() {
    CToken next = parser.peek(0);
    return next.is("__attribute__")
        || next.is("__attribute")
        || next.is("_Alignas")
        || next.is("alignas")
        || next.is("__declspec")
        || (next.is("[") && parser.peek(1).is("["));
  }

  /** Parses the attributes that are next, if any. */
  void parse(CAttributes into) throws CSyntaxException {
    while (isNext()) {
      CToken keyword = parser.take();
      if (keyword.is("_Alignas") || keyword.is("alignas")) {
        into.align(alignas());
      } else if (keyword.is("[")) {
        parser.expect("[");
        list(into, "]");
        parser.expect("]");
        parser.expect("]");
      } else {
        parser.expect("(");
        boolean isDoubled = !keyword.is("__declspec");
        if (isDoubled) {
          parser.expect("(");
        }
        list(into, ")");
        parser.expect(")");
        if (isDoubled) {
          parser.expect(")");
        }
      }
    }
  }

  private int alignas() throws CSyntaxException {
    parser.expect("(");
    int alignment;
    if (parser.isTypeAt(0)) {
      CToken place = parser.peek(0);
      FieldType type = parser.typeName();
      alignment =
          parser
              .alignment(type)
              .orElseThrow(() -> CSyntaxException.unknownSize(place, FieldTypes.text(type)));
    } else {
      alignment = alignment();
    }
    parser.expect(")");
    return alignment;
  }

  private int alignment() throws CSyntaxException {
    CToken start = parser.peek(0);
    int value = parser.size();
    if (Integer.bitCount(value) > 1 || value > 1 << 16) {
      throw new CSyntaxException(
          start, "\"" + start.text() + "\" is not an alignment", "alignments are powers of two");
    }
    return value;
  }

  private void list(CAttributes into, String close) throws CSyntaxException {
    while (!parser.peek(0).is(close)) {
      if (parser.skip(",")) {
        continue;
      }
      one(into);
    }
  }

  private void one(CAttributes into) throws CSyntaxException {
    CToken attribute = parser.take();
    if (parser.skip(":")) {
      parser.expect(":");
      attribute = parser.take();
    }
    if (!attribute.isName()) {
      throw DeclarationParser.unexpected(attribute);
    }
    String name = CAttributes.plain(attribute.text());
    switch (name) {
      case "packed" -> into.pack(attribute);
      case "aligned" -> into.align(parser.peek(0).is("(") ? operand() : LARGEST);
      case "vector_size" -> into.vector(operand());
      case "mode" -> {
        parser.expect("(");
        into.mode(parser.take().text());
        parser.expect(")");
      }
      default -> {
        if (!CAttributes.isKnown(name)) {
          into.unknown(attribute);
        }
        if (parser.peek(0).is("(")) {
          parser.balanced("(", ")");
        }
      }
    }
  }

  private int operand() throws CSyntaxException {
    parser.expect("(");
    int value = alignment();
    parser.expect(")");
    return value;
  }

  /** Returns the integer of a machine mode, {@code mode(DI)}, or a vector. */
  FieldType ofMode(FieldType type, CAttributes attributes) throws CSyntaxException {
    if (attributes.vector() > 0) {
      CToken place = parser.peek(0);
      int size = parser.bytes(type).orElse(0);
      if (size == 0) {
        throw CSyntaxException.unknownSize(place, FieldTypes.text(type));
      }
      return new FieldType.Array(type, attributes.vector() / size);
    }
    if (!(type instanceof FieldType.Named named) || attributes.mode().isEmpty()) {
      return type;
    }
    boolean isUnsigned = named.name().base().contains("unsigned");
    Optional<String> size =
        switch (attributes.mode().get()) {
          case "QI", "byte" -> Optional.of("8");
          case "HI" -> Optional.of("16");
          case "SI" -> Optional.of("32");
          case "DI" -> Optional.of("64");
          case "word", "pointer", "unwind_word" -> Optional.of("");
          default -> Optional.empty();
        };
    if (attributes.mode().get().equals("TI")) {
      return new FieldType.Named(new TypeName(isUnsigned ? "unsigned __int128" : "__int128", 0));
    }
    if (size.isEmpty()) {
      throw new CSyntaxException(
          parser.peek(0),
          "unknown mode \"" + attributes.mode().get() + "\"",
          "modes are QI, HI, SI, DI, TI, word and pointer");
    }
    String base =
        size.get().isEmpty()
            ? (isUnsigned ? "unsigned long" : "long")
            : (isUnsigned ? "u" : "s") + size.get();
    return new FieldType.Named(new TypeName(base, 0));
  }
}
