package dev.ply.selector;

import dev.ply.selector.GlobElement.Choice.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Parses a pattern. An incomplete special sequence is taken literally. */
final class GlobParser {
  private static final int CHARACTERS = 256;

  /** POSIX character classes, as in the C locale. */
  private static final Map<String, IntPredicate> CLASSES =
      Map.ofEntries(
          Map.entry("alpha", c -> isLower(c) || isUpper(c)),
          Map.entry("digit", GlobParser::isDigit),
          Map.entry("alnum", c -> isLower(c) || isUpper(c) || isDigit(c)),
          Map.entry("lower", GlobParser::isLower),
          Map.entry("upper", GlobParser::isUpper),
          Map.entry("xdigit", c -> c < 128 && Character.digit(c, 16) >= 0),
          Map.entry("space", c -> c == ' ' || (c >= '\t' && c <= '\r')),
          Map.entry("blank", c -> c == ' ' || c == '\t'),
          Map.entry("punct", c -> isVisible(c) && !isLower(c) && !isUpper(c) && !isDigit(c)),
          Map.entry("graph", GlobParser::isVisible),
          Map.entry("print", c -> c == ' ' || isVisible(c)),
          Map.entry("cntrl", c -> c < ' ' || c == 127));

  private final String text;
  private int position;

  private GlobParser(String text) {
    this.text = text;
  }

  static List<GlobElement> parse(String text) {
    GlobParser parser = new GlobParser(text);
    return parser.sequence(false);
  }

  /** Parses up to the end of the pattern or of the alternative. */
  private List<GlobElement> sequence(boolean isAlternative) {
    List<GlobElement> elements = new ArrayList<>();
    while (position < text.length()
        && !(isAlternative && (text.charAt(position) == '|' || text.charAt(position) == ')'))) {
      elements.add(element());
    }
    return List.copyOf(elements);
  }

  private GlobElement element() {
    Optional<GlobElement> choice = choice();
    if (choice.isPresent()) {
      return choice.get();
    }
    char c = text.charAt(position++);
    return switch (c) {
      case '?' -> new GlobElement.Any();
      case '*' -> new GlobElement.AnyText();
      case '[' -> set().<GlobElement>map(set -> set).orElse(new GlobElement.Literal('['));
      case '\\' -> new GlobElement.Literal(position < text.length() ? text.charAt(position++) : c);
      default -> new GlobElement.Literal(c);
    };
  }

  private Optional<GlobElement> choice() {
    Optional<Kind> kind = Kind.of(text.charAt(position));
    if (kind.isEmpty() || position + 1 >= text.length() || text.charAt(position + 1) != '(') {
      return Optional.empty();
    }
    int start = position;
    position += 1;
    List<List<GlobElement>> alternatives = new ArrayList<>();
    do {
      position++;
      alternatives.add(sequence(true));
    } while (position < text.length() && text.charAt(position) == '|');
    if (position >= text.length()) {
      position = start;
      return Optional.empty();
    }
    position++;
    return Optional.of(new GlobElement.Choice(kind.get(), alternatives));
  }

  /** Parses a set after its opening bracket; a bracket without its closing one is literal. */
  private Optional<GlobElement.OneOf> set() {
    int start = position;
    boolean negated = accept('!') || accept('^');
    BitSet characters = new BitSet(CHARACTERS);
    boolean first = true;
    while (position < text.length()) {
      if (text.charAt(position) == ']' && !first) {
        position++;
        return Optional.of(new GlobElement.OneOf(characters, negated));
      }
      first = false;
      if (!namedClass(characters)) {
        range(characters);
      }
    }
    position = start;
    return Optional.empty();
  }

  private boolean accept(char c) {
    boolean found = position < text.length() && text.charAt(position) == c;
    position += found ? 1 : 0;
    return found;
  }

  private boolean namedClass(BitSet characters) {
    int end = text.startsWith("[:", position) ? text.indexOf(":]", position + 2) : -1;
    IntPredicate members = end < 0 ? null : CLASSES.get(text.substring(position + 2, end));
    if (members == null) {
      return false;
    }
    for (int c = 0; c < CHARACTERS; c++) {
      if (members.test(c)) {
        characters.set(c);
      }
    }
    position = end + 2;
    return true;
  }

  private void range(BitSet characters) {
    char low = character();
    char high = low;
    if (position + 1 < text.length()
        && text.charAt(position) == '-'
        && text.charAt(position + 1) != ']') {
      position++;
      high = character();
    }
    if (low <= high) {
      characters.set(low, high + 1);
    }
  }

  private char character() {
    boolean escaped = text.charAt(position) == '\\' && position + 1 < text.length();
    position += escaped ? 1 : 0;
    return text.charAt(position++);
  }

  private static boolean isLower(int c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isUpper(int c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isVisible(int c) {
    return c > ' ' && c < 127;
  }
}
