package dev.ply.cli.completion;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The syntactic position at the end of an unfinished script. */
public sealed interface Position {
  /** {@return the beginning of what is being written} */
  String start();

  /** A probe, {@code tracepoint:sched:sch}. */
  record Probe(String start) implements Position {}

  /**
   * A field of what a probe offers, {@code args.prev_c}.
   *
   * @param probe that the clause begins with
   */
  record Field(String probe, String start) implements Position {}

  /** A name of the language. */
  record Word(String start) implements Position {}

  /** Anything else: a string, a comment, a number. */
  record Other(String start) implements Position {}

  /** A field: its beginning follows a dot or an arrow. */
  Pattern FIELD = Pattern.compile("(?:^|[^\\w$@.])(?:args|data)\\s*(?:\\.|->)\\s*(\\w*)\\z");

  /** A name that is no variable, map, or member. */
  Pattern WORD = Pattern.compile("(?:^|[^\\w$@.>]|[^-]>)([A-Za-z_]\\w*)\\z");

  /** A slash after white space begins a predicate; one elsewhere belongs to a path. */
  Pattern PREDICATE = Pattern.compile("\\s/(?!\\S*:)");

  /** {@return what the end of a text is in the middle of} */
  static Position of(String script) {
    int header = 0;
    int body = -1;
    int depth = 0;
    boolean isBetween = true;
    int i = 0;
    while (i < script.length()) {
      char c = script.charAt(i);
      if (c == '"') {
        int end = endOfString(script, i);
        if (end < 0) {
          // Of the probe's name, perhaps: a path is quoted, too.
          return depth > 0 ? new Other("") : probe(script.substring(header));
        }
        i = end;
        isBetween = false;
      } else if (c == '\'' && depth > 0) {
        i = endOfCharacter(script, i);
      } else if ((depth > 0 || isBetween) && isComment(script, i)) {
        String end = script.startsWith("/*", i) ? "*/" : "\n";
        int found = script.indexOf(end, i + (c == '#' ? 1 : 2));
        if (found < 0) {
          return new Other("");
        }
        i = found + end.length() - 1;
        header = depth == 0 ? i + 1 : header;
      } else if (c == '{') {
        body = depth == 0 ? i : body;
        depth++;
        isBetween = false;
      } else if (c == '}' && depth > 0) {
        depth--;
        header = depth == 0 ? i + 1 : header;
        isBetween = depth == 0;
      } else if (!Character.isWhitespace(c)) {
        isBetween = false;
      }
      i++;
    }
    String begun = script.substring(header);
    if (depth > 0) {
      return inside(script.substring(header, body), script.substring(body + 1));
    }
    Matcher predicate = PREDICATE.matcher(begun);
    return predicate.find()
        ? inside(begun.substring(0, predicate.start()), begun.substring(predicate.end()))
        : probe(begun);
  }

  /** Paths of probes have slashes, too: before braces, comments are only between clauses. */
  private static boolean isComment(String script, int i) {
    return script.startsWith("//", i)
        || script.startsWith("/*", i)
        // The number of parameters is $#.
        || (script.charAt(i) == '#' && (i == 0 || script.charAt(i - 1) != '$'));
  }

  /** {@return the last position of a character in quotes, which ends with its line} */
  private static int endOfCharacter(String script, int quote) {
    for (int i = quote + 1; i < script.length() && script.charAt(i) != '\n'; i++) {
      if (script.charAt(i) == '\\') {
        i++;
      } else if (script.charAt(i) == '\'') {
        return i;
      }
    }
    return quote;
  }

  private static int endOfString(String script, int quote) {
    for (int i = quote + 1; i < script.length(); i++) {
      if (script.charAt(i) == '\\') {
        i++;
      } else if (script.charAt(i) == '"') {
        return i;
      }
    }
    return -1;
  }

  private static Position probe(String header) {
    String last = header.substring(startOfLastProbe(header)).stripLeading();
    return last.matches("(?s).*\\s") || hasSpace(last) ? new Other("") : new Probe(last);
  }

  /** Probes of a clause are separated by commas. */
  private static int startOfLastProbe(String header) {
    boolean isQuoted = false;
    int start = 0;
    for (int i = 0; i < header.length(); i++) {
      isQuoted ^= header.charAt(i) == '"';
      if (header.charAt(i) == ',' && !isQuoted) {
        start = i + 1;
      }
    }
    return start;
  }

  private static boolean hasSpace(String probe) {
    int quote = probe.indexOf('"');
    return (quote < 0 ? probe : probe.substring(0, quote))
        .chars()
        .anyMatch(Character::isWhitespace);
  }

  private static Position inside(String header, String code) {
    Matcher field = FIELD.matcher(code);
    if (field.find()) {
      String probe = header.strip();
      Matcher end = Pattern.compile("[,\\s]").matcher(probe);
      return new Field(end.find() ? probe.substring(0, end.start()) : probe, field.group(1));
    }
    Matcher word = WORD.matcher(code);
    return word.find() ? new Word(word.group(1)) : new Other("");
  }
}
