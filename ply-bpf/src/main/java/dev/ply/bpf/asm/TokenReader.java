package dev.ply.bpf.asm;

import dev.ply.bpf.asm.Notation.MemoryType;
import dev.ply.bpf.asm.Notation.SizedRegister;
import dev.ply.bpf.asm.Token.Kind;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cursor over the tokens of one line, with parsers for the elements that statements share. */
final class TokenReader {
  private static final Pattern VIRTUAL_REGISTER = Pattern.compile("(w?)v([0-9]{1,6})");

  /** A memory operand such as {@code *(u64 *)(r6 +96)}. */
  record MemoryOperand(MemoryType type, Register base, int offset) {
    Size size() {
      return type.size();
    }
  }

  private final List<Token> tokens;
  private final LabelTable labels;
  private int next;

  /** Creates a reader that registers uses of labels in {@code labels}. */
  public TokenReader(List<Token> tokens, LabelTable labels) {
    this.tokens = tokens;
    this.labels = labels;
  }

  Token peek() {
    return tokens.get(next);
  }

  Token peekSecond() {
    return tokens.get(Math.min(next + 1, tokens.size() - 1));
  }

  /** Returns the next token and moves past it; stays at the end of the line. */
  Token take() {
    Token token = peek();
    if (token.kind() != Kind.END) {
      next++;
    }
    return token;
  }

  boolean accept(String symbol) {
    boolean found = peek().is(symbol);
    if (found) {
      take();
    }
    return found;
  }

  void expect(String symbol) {
    if (!accept(symbol)) {
      throw expected('"' + symbol + '"');
    }
  }

  Token expect(Kind kind, String description) {
    if (peek().kind() != kind) {
      throw expected(description);
    }
    return take();
  }

  /** Returns an error that {@code description} was expected instead of the next token. */
  SyntaxException expected(String description, String... hints) {
    Token found = peek();
    return new SyntaxException(found.span(), "expected " + description + ", found " + found, hints);
  }

  /** Returns the next token as a register, if it is one, without moving past it. */
  Optional<SizedRegister> peekRegister() {
    return peek().kind() == Kind.WORD ? register(peek().text()) : Optional.empty();
  }

  private static Optional<SizedRegister> register(String text) {
    Matcher virtual = VIRTUAL_REGISTER.matcher(text);
    if (virtual.matches()) {
      Width width = virtual.group(1).isEmpty() ? Width.W64 : Width.W32;
      int number = Register.FIRST_VIRTUAL + Integer.parseInt(virtual.group(2));
      return Optional.of(new SizedRegister(width, new Register(number)));
    }
    return Optional.ofNullable(Notation.MACHINE_REGISTERS.get(text));
  }

  SizedRegister sizedRegister() {
    SizedRegister register =
        peekRegister().orElseThrow(() -> expected("a register (r0 to r10, w0 to w10)"));
    take();
    return register;
  }

  /** Reads a register that must be of {@code width}. */
  Register register(Width width) {
    SizedRegister register =
        peekRegister()
            .filter(found -> found.width() == width)
            .orElseThrow(
                () ->
                    expected(
                        width == Width.W64
                            ? "a 64-bit register (r0 to r10)"
                            : "the lower half of a register (w0 to w10)"));
    take();
    return register.register();
  }

  /** Reads {@code register}, the second time that the notation names it. */
  void sameRegister(SizedRegister register) {
    if (peekRegister().filter(register::equals).isEmpty()) {
      throw expected(register + " again");
    }
    take();
  }

  /** Reads a number with an optional sign, in the range {@code least} to {@code most}. */
  long number(long least, long most) {
    boolean negative = accept("-");
    if (!negative) {
      accept("+");
    }
    Token token = expect(Kind.NUMBER, "a number");
    try {
      long value = Long.parseLong((negative ? "-" : "") + digits(token), radix(token));
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Out of range, like numbers between the limits of long and of the field.
    }
    throw new SyntaxException(
        token.span(),
        (negative ? "-" : "") + token.text() + " is not between " + least + " and " + most);
  }

  int integer() {
    return (int) number(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** Reads an unsigned 64-bit number. */
  long wideNumber() {
    Token token = expect(Kind.NUMBER, "a number");
    try {
      return Long.parseUnsignedLong(digits(token), radix(token));
    } catch (NumberFormatException e) {
      throw new SyntaxException(token.span(), token.text() + " does not fit in 64 bits");
    }
  }

  private static String digits(Token token) {
    return token.isHexadecimal() ? token.text().substring(2) : token.text();
  }

  private static int radix(Token token) {
    return token.isHexadecimal() ? 16 : 10;
  }

  /** Reads a memory type that {@code allowed} accepts. */
  MemoryType memoryType(Predicate<MemoryType> allowed, String description) {
    MemoryType type = Notation.MEMORY_TYPES.get(peek().text());
    if (type == null || !allowed.test(type)) {
      throw expected(description);
    }
    take();
    return type;
  }

  /** Reads {@code *(u64 *)}. */
  MemoryType pointerType(Predicate<MemoryType> allowed, String description) {
    expect("*");
    expect("(");
    MemoryType type = memoryType(allowed, description);
    expect("*");
    expect(")");
    return type;
  }

  /** Reads {@code (r6 +96)}. */
  MemoryOperand memoryOperand(MemoryType type) {
    expect("(");
    Register base = register(Width.W64);
    int offset = peek().is(")") ? 0 : (int) number(Short.MIN_VALUE, Short.MAX_VALUE);
    expect(")");
    return new MemoryOperand(type, base, offset);
  }

  /** Reads a use of a label. */
  Label label() {
    return labels.use(expect(Kind.WORD, "a label"));
  }

  /** Reads a use of a label, or a distance in slots such as {@code +1}. */
  Label labelOrDistance() {
    Token start = peek();
    return start.is("+") || start.is("-") ? labels.relative(start, integer()) : label();
  }

  void expectEnd() {
    expect(Kind.END, "the end of the line");
  }
}
