package dev.ply.reader;

import java.math.BigInteger;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON as RFC 8259 has it and nothing else: no lone surrogates, no control characters in
 * strings, no name twice in an object.
 */
public final class StrictJson {
  /** What {@code null} is read as. */
  public static final Object NULL = new Object();

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private final String text;
  private int at;

  private StrictJson(String text) {
    this.text = text;
  }

  /**
   * Returns the value of a text: a map, list, string, long, big integer, double, boolean or {@link
   * #NULL}.
   *
   * @throws IllegalArgumentException if it is not JSON
   */
  public static Object read(String text) {
    try {
      StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8", e);
    }
    StrictJson reader = new StrictJson(text);
    Object value = reader.value();
    if (reader.peek() != '\0') {
      throw reader.unexpected();
    }
    return value;
  }

  private Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true", true);
      case 'f' -> literal("false", false);
      case 'n' -> literal("null", NULL);
      default -> number();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    expect('{');
    if (peek() == '}') {
      expect('}');
      return members;
    }
    while (true) {
      peek();
      String name = string();
      expect(':');
      if (members.put(name, value()) != null) {
        throw new IllegalArgumentException("twice: " + name);
      }
      if (peek() == '}') {
        expect('}');
        return members;
      }
      expect(',');
    }
  }

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
    expect('[');
    if (peek() == ']') {
      expect(']');
      return elements;
    }
    while (true) {
      elements.add(value());
      if (peek() == ']') {
        expect(']');
        return elements;
      }
      expect(',');
    }
  }

  private String string() {
    if (at >= text.length() || text.charAt(at) != '"') {
      throw unexpected();
    }
    at++;
    StringBuilder string = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char character = text.charAt(at++);
      if (character < ' ') {
        throw unexpected();
      }
      string.append(character == '\\' ? escape() : character);
    }
    if (at >= text.length()) {
      throw unexpected();
    }
    at++;
    return string.toString();
  }

  private char escape() {
    char letter = at < text.length() ? text.charAt(at++) : '\0';
    return switch (letter) {
      case '"', '\\', '/' -> letter;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> codeUnit();
      default -> throw unexpected();
    };
  }

  private char codeUnit() {
    if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
      throw unexpected();
    }
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private Object number() {
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    if (!number.lookingAt()) {
      throw unexpected();
    }
    at = number.end();
    if (number.group(1) != null || number.group(2) != null) {
      return Double.parseDouble(number.group());
    }
    BigInteger integer = new BigInteger(number.group());
    return integer.bitLength() < Long.SIZE ? (Object) integer.longValue() : integer;
  }

  private Object literal(String name, Object value) {
    if (!text.startsWith(name, at)) {
      throw unexpected();
    }
    at += name.length();
    return value;
  }

  /** Returns the next character that is no white space, NUL at the end. */
  private char peek() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void expect(char character) {
    if (peek() != character) {
      throw unexpected();
    }
    at++;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("not JSON at " + at + ": " + text);
  }
}
