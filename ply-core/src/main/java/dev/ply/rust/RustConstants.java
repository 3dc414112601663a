package dev.ply.rust;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Decodes the constants among the arguments of generic functions and types. */
final class RustConstants {
  private static final int MOST_DIGITS = 16;

  private final RustDemangler names;
  private final RustText in;

  RustConstants(RustDemangler names, RustText in) {
    this.names = names;
    this.in = in;
  }

  /** Decodes a constant, in braces if it is not a literal and not {@code isNested}. */
  void constant(boolean isNested) {
    names.enter();
    int start = in.position();
    char tag = in.next();
    switch (tag) {
      case 'p' -> names.write("_");
      case 'h', 't', 'm', 'y', 'o', 'j' -> names.write(number());
      case 'a', 's', 'l', 'x', 'n', 'i' -> names.write((in.accept('n') ? "-" : "") + number());
      case 'b' -> names.write(truth());
      case 'c' -> names.write(character());
      case 'B' -> names.back(start, () -> constant(isNested));
      default -> {
        names.write(isNested ? "" : "{");
        composite(tag);
        names.write(isNested ? "" : "}");
      }
    }
    names.leave();
  }

  private void composite(char tag) {
    switch (tag) {
      case 'e' -> names.write("*" + string());
      case 'R', 'Q' -> {
        if (tag == 'R' && in.accept('e')) {
          names.write(string());
        } else {
          names.write(tag == 'R' ? "&" : "&mut ");
          constant(true);
        }
      }
      case 'A' -> {
        names.write("[");
        all();
        names.write("]");
      }
      case 'T' -> {
        names.write("(");
        names.write(all() == 1 ? ",)" : ")");
      }
      case 'V' -> {
        names.path(true);
        fields();
      }
      default -> throw new UnknownFormException();
    }
  }

  private void fields() {
    switch (in.next()) {
      case 'U' -> {}
      case 'T' -> {
        names.write("(");
        int unused = all();
        names.write(")");
      }
      case 'S' -> {
        names.write(" { ");
        for (int i = 0; !in.accept('E'); i++) {
          long unused = in.optional62('s');
          names.write((i > 0 ? ", " : "") + in.identifier() + ": ");
          constant(true);
        }
        names.write(" }");
      }
      default -> throw new UnknownFormException();
    }
  }

  private int all() {
    int count = 0;
    while (!in.accept('E')) {
      names.write(count++ > 0 ? ", " : "");
      constant(true);
    }
    return count;
  }

  private String number() {
    String digits = in.hex();
    if (digits.isEmpty()) {
      return "0";
    }
    return digits.length() > MOST_DIGITS ? "0x" + digits : new BigInteger(digits, 16).toString();
  }

  private String truth() {
    return switch (in.hex()) {
      case "0" -> "false";
      case "1" -> "true";
      default -> throw new UnknownFormException();
    };
  }

  private String character() {
    String digits = in.hex();
    if (digits.isEmpty() || digits.length() > 6) {
      throw new UnknownFormException();
    }
    int character = Integer.parseInt(digits, 16);
    if (!Character.isValidCodePoint(character)) {
      throw new UnknownFormException();
    }
    return "'" + quoted(Character.toString(character), '\'') + "'";
  }

  private String string() {
    String digits = in.hex();
    if (digits.length() % 2 != 0) {
      throw new UnknownFormException();
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(digits));
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return "\"" + quoted(text, '"') + "\"";
    } catch (CharacterCodingException e) {
      throw new UnknownFormException();
    }
  }

  private static String quoted(String text, char quote) {
    return text.replace("\\", "\\\\")
        .replace("\n", "\\n")
        .replace("\t", "\\t")
        .replace("\r", "\\r")
        .replace("\0", "\\0")
        .replace(String.valueOf(quote), "\\" + quote);
  }
}
