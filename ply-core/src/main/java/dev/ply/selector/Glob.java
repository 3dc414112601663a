package dev.ply.selector;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A pattern for names, as fnmatch(3) of the GNU C library takes it with {@code FNM_EXTMATCH}:
 * {@code ?} is any character, {@code *} any text, {@code [a-z]}, {@code [!a-z]} and {@code
 * [[:alpha:]]} are sets of characters, and of a list of patterns {@code @(a|b)} is one, {@code
 * ?(a|b)} one or none, {@code *(a|b)} any number, {@code +(a|b)} at least one, {@code !(a|b)} any
 * text that is none of them. A backslash takes the next character literally.
 *
 * <p>Two globs are equal if their texts are. Immutable.
 */
public final class Glob {
  private static final Pattern SPECIAL = Pattern.compile("[?*\\[]|[@!+]\\(");

  private final String text;
  private final String prefix;
  private final String literal;

  /** The elements after the literal prefix. */
  private final List<GlobElement> rest;

  /** Whether the pattern is a literal prefix and {@code *}, the most common form. */
  private final boolean isPrefix;

  /**
   * Parses a pattern; any string is one.
   *
   * @param text characters without special meaning match themselves
   */
  public Glob(String text) {
    this.text = text;
    List<GlobElement> elements = GlobParser.parse(text);
    this.prefix = literal(elements, 0);
    this.rest = elements.subList(prefix.length(), elements.size());
    this.isPrefix = rest.size() == 1 && rest.get(0) instanceof GlobElement.AnyText;
    String longest = prefix;
    for (int i = prefix.length(); i < elements.size(); i++) {
      String from = literal(elements, i);
      longest = from.length() > longest.length() ? from : longest;
    }
    this.literal = longest;
  }

  /** Returns the literal text of the elements from an index on. */
  private static String literal(List<GlobElement> elements, int from) {
    StringBuilder literal = new StringBuilder();
    for (int i = from;
        i < elements.size() && elements.get(i) instanceof GlobElement.Literal character;
        i++) {
      literal.append(character.value());
    }
    return literal.toString();
  }

  /**
   * {@return whether a string contains a special character}
   *
   * @param text of any form
   */
  public static boolean isGlob(String text) {
    return SPECIAL.matcher(text).find();
  }

  /**
   * {@return whether the whole of {@code name} matches}
   *
   * @param name without special meaning of any character
   */
  public boolean matches(String name) {
    // The first few characters rule out nearly all of the kernel's function names.
    return name.startsWith(prefix)
        && (isPrefix
            || GlobElement.ends(rest, name, GlobElement.at(prefix.length())).get(name.length()));
  }

  /** {@return the characters before the first special one} */
  public String prefix() {
    return prefix;
  }

  /** {@return the longest string that is certain to occur in every name that matches} */
  public String literal() {
    return literal;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob glob && glob.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the pattern. */
  @Override
  public String toString() {
    return text;
  }
}
