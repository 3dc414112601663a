package dev.ply.lang.c.declaration;

import dev.ply.analysis.struct.Layouts.Place;
import dev.ply.ir.TypeDefinition.Field;
import dev.ply.ir.TypeDefinition.FieldType;
import dev.ply.lang.c.expression.CNumber;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import dev.ply.lang.c.expression.CToken.Kind;
import dev.ply.lang.c.expression.ConstantExpression;
import dev.ply.target.HeaderConstants;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Constants in declarations, {@code char name[N + 1]}: enumerators, {@code sizeof}, {@code
 * offsetof} and casts beside what conditions have.
 */
final class DeclarationConstants extends ConstantExpression {
  private enum Measure {
    SIZE,
    ALIGNMENT
  }

  private final DeclarationParser parser;
  private final CScope scope;

  DeclarationConstants(DeclarationParser parser, CScope scope) {
    this.parser = parser;
    this.scope = scope;
  }

  @Override
  protected CToken peek(int ahead) {
    return parser.peek(ahead);
  }

  @Override
  protected CToken take() {
    return parser.take();
  }

  @Override
  protected CNumber literal(CNumber number) {
    return number;
  }

  @Override
  protected int longBytes() {
    return scope.architecture().wordSize();
  }

  @Override
  protected Optional<CNumber> special(CToken token) throws CSyntaxException {
    switch (token.text()) {
      case "(" -> {
        return parser.isTypeAt(1) ? Optional.of(cast()) : Optional.empty();
      }
      case "&" -> {
        return Optional.of(address());
      }
      case "sizeof" -> {
        return Optional.of(measured(Measure.SIZE));
      }
      case "_Alignof", "__alignof__", "__alignof", "alignof" -> {
        return Optional.of(measured(Measure.ALIGNMENT));
      }
      case "offsetof", "__builtin_offsetof" -> {
        return Optional.of(offset());
      }
      case "__builtin_types_compatible_p", "__builtin_constant_p", "__builtin_choose_expr" ->
          throw unexpected(token);
      case "true", "false" -> {
        CToken unused = take();
        return Optional.of(CNumber.ofTruth(token.is("true")));
      }
      case "__extension__" -> {
        CToken unused = take();
        return Optional.of(unary());
      }
      default -> {
        Optional<CNumber> known = scope.constant(token.text()).or(() -> ofHeaders(token.text()));
        if (known.isPresent()) {
          CToken unused = take();
        }
        return known;
      }
    }
  }

  /** Constants of headers that are not read are known. */
  private static Optional<CNumber> ofHeaders(String name) {
    OptionalLong value = HeaderConstants.value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    long bits = value.getAsLong();
    return Optional.of(CNumber.of(bits, false, bits == (int) bits ? Integer.BYTES : Long.BYTES));
  }

  private CNumber cast() throws CSyntaxException {
    CToken open = take();
    FieldType type = parser.typeName();
    parser.expect(")");
    if (peek(0).is("{")) {
      throw unexpected(peek(0));
    }
    CNumber value = unary();
    OptionalInt size = scope.layouts().size(type);
    Optional<Boolean> isSigned = scope.layouts().isSigned(type);
    if (size.isEmpty()) {
      throw CSyntaxException.unknownSize(open, FieldTypes.text(type));
    }
    return CNumber.of(value.value(), !isSigned.orElse(false), Math.min(8, size.getAsInt()));
  }

  /** {@code sizeof(type)}, {@code sizeof(((type *)0)->member)}, {@code sizeof "text"}. */
  private CNumber measured(Measure measure) throws CSyntaxException {
    CToken keyword = take();
    if (peek(0).kind() == Kind.STRING) {
      return word(take().text().length() - 1);
    }
    if (!peek(0).is("(")) {
      return word(unary().bytes());
    }
    if (parser.isTypeAt(1)) {
      CToken unused = take();
      FieldType type = parser.typeName();
      parser.expect(")");
      return measure(keyword, type, measure);
    }
    int parentheses = 0;
    while (peek(parentheses).is("(")) {
      parentheses++;
    }
    if (parser.isTypeAt(parentheses)) {
      // Those of the pointer are its own.
      for (int i = 2; i < parentheses; i++) {
        CToken unused = take();
      }
      Member member = member();
      for (int i = 2; i < parentheses; i++) {
        parser.expect(")");
      }
      return measure(keyword, FieldTypes.whole(member.field()), measure);
    }
    if (parentheses == 1 && peek(1).kind() == Kind.STRING && peek(2).is(")")) {
      CToken unused = take();
      long length = take().text().length() - 1L;
      parser.expect(")");
      return word(length);
    }
    return word(unary().bytes());
  }

  private CNumber measure(CToken keyword, FieldType type, Measure measure) throws CSyntaxException {
    OptionalInt found =
        measure == Measure.SIZE ? scope.layouts().size(type) : scope.layouts().alignment(type);
    if (found.isEmpty()) {
      throw CSyntaxException.unknownSize(keyword, FieldTypes.text(type));
    }
    return word(found.getAsInt());
  }

  /** A member that an expression selects. */
  private record Member(Field field, long offset) {}

  /** {@code ((type *)0)->member.member[0]}, at a parenthesis. */
  private Member member() throws CSyntaxException {
    parser.expect("(");
    boolean isParenthesised = peek(0).is("(");
    if (isParenthesised) {
      CToken unused = take();
    }
    CToken place = peek(0);
    FieldType type = parser.typeName();
    parser.expect(")");
    CNumber unused = unary();
    if (isParenthesised) {
      parser.expect(")");
    }
    FieldType target = FieldTypes.target(type).orElseThrow(() -> unexpected(place));
    parser.expect("->");
    return path(target);
  }

  private Member path(FieldType start) throws CSyntaxException {
    FieldType type = start;
    long offset = 0;
    while (true) {
      CToken name = take();
      FieldType holder = type;
      Optional<Place> found = scope.layouts().member(holder, name.text());
      if (!name.isName() || found.isEmpty()) {
        throw CSyntaxException.unknownSize(name, FieldTypes.text(holder) + "." + name.text());
      }
      Field field = found.get().type();
      offset += found.get().offset();
      while (peek(0).is("[")) {
        CToken unused = take();
        CNumber index = conditional();
        parser.expect("]");
        field = FieldTypes.element(field).orElseThrow(() -> unexpected(name));
        FieldType element = FieldTypes.whole(field);
        OptionalInt size = scope.layouts().size(element);
        if (size.isEmpty()) {
          throw CSyntaxException.unknownSize(name, FieldTypes.text(element));
        }
        offset += index.value() * size.getAsInt();
      }
      if (!peek(0).is(".")) {
        return new Member(field, offset);
      }
      CToken unused = take();
      type = FieldTypes.whole(field);
    }
  }

  private CNumber offset() throws CSyntaxException {
    CToken unused = take();
    parser.expect("(");
    FieldType type = parser.typeName();
    parser.expect(",");
    Member member = path(type);
    parser.expect(")");
    return word(member.offset());
  }

  /** {@code &((type *)0)->member}. */
  private CNumber address() throws CSyntaxException {
    CToken unused = take();
    return word(member().offset());
  }

  private CNumber word(long value) {
    return CNumber.of(value, true, longBytes());
  }
}
