package dev.ply.rust;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Decodes the symbols of Rust's first mangling: nested names of C++ of which the last is a hash,
 * with escapes between dollar signs.
 */
final class LegacyName {
  private static final Pattern HASH = Pattern.compile("h[0-9a-f]{16}");
  private static final int FEWEST_DIGITS = 5;
  private static final int LONGEST_ESCAPE = 8;
  private static final Map<String, String> ESCAPES =
      Map.of("SP", "@", "BP", "*", "RF", "&", "LT", "<", "GT", ">", "LP", "(", "RP", ")", "C", ",");

  private LegacyName() {}

  /** Returns the name of a symbol that begins with {@code _ZN}; empty if it has no hash. */
  static Optional<String> decode(String symbol) {
    StringBuilder out = new StringBuilder();
    String last = "";
    int position = 3;
    while (position < symbol.length() && symbol.charAt(position) != 'E') {
      int digits = position;
      int length = 0;
      while (position < symbol.length()
          && symbol.charAt(position) >= '0'
          && symbol.charAt(position) <= '9'
          && length <= symbol.length()) {
        length = length * 10 + symbol.charAt(position++) - '0';
      }
      if (position == digits || length > symbol.length() - position) {
        return Optional.empty();
      }
      if (!last.isEmpty()) {
        append(out, last);
      }
      last = symbol.substring(position, position + length);
      position += length;
    }
    boolean isWhole = position == symbol.length() - 1;
    return isWhole && isHash(last) && out.length() > 0
        ? Optional.of(out.toString())
        : Optional.empty();
  }

  /** Returns whether this is a hash; few digits would be a name of C++ that looks like one. */
  private static boolean isHash(String part) {
    return HASH.matcher(part).matches() && part.chars().distinct().count() > FEWEST_DIGITS;
  }

  private static void append(StringBuilder out, String part) {
    out.append(out.length() > 0 ? "::" : "");
    int i = part.startsWith("_$") ? 1 : 0;
    while (i < part.length()) {
      char c = part.charAt(i);
      int end = c == '$' ? part.indexOf('$', i + 1) : -1;
      String escaped =
          end > 0 && end - i <= LONGEST_ESCAPE ? escape(part.substring(i + 1, end)) : "";
      if (part.startsWith("..", i)) {
        out.append("::");
        i += 2;
      } else if (!escaped.isEmpty()) {
        out.append(escaped);
        i = end + 1;
      } else {
        out.append(c);
        i++;
      }
    }
  }

  /** Returns what an escape stands for; empty if it is none. */
  private static String escape(String name) {
    if (name.matches("u[0-9a-f]{1,6}")) {
      int character = Integer.parseInt(name.substring(1), 16);
      return Character.isValidCodePoint(character) ? Character.toString(character) : "";
    }
    return ESCAPES.getOrDefault(name, "");
  }
}
