package dev.ply.cli.manual;

import java.util.List;
import java.util.Locale;

/**
 * A manual page in the making, in the macros of {@code man}. Text is escaped: none of it is taken
 * as a request, and quotes and dashes stay those of ASCII, so that they can be copied.
 */
final class Roff {
  private static final int COLUMNS = 78;
  private static final int FIRST_BEYOND_ASCII = 0x80;

  private final StringBuilder text = new StringBuilder();

  /** Appends a macro, with arguments that are escaped and quoted. */
  Roff macro(String name, String... arguments) {
    text.append('.').append(name);
    for (String argument : arguments) {
      text.append(" \"").append(escaped(argument)).append('"');
    }
    text.append('\n');
    return this;
  }

  /** Appends filled text. */
  Roff paragraph(String sentences) {
    HelpText.wrapped(sentences.strip(), COLUMNS).forEach(this::line);
    return this;
  }

  /** Appends a line of roff, such as {@link #bold} returns. */
  Roff raw(String line) {
    text.append(line).append('\n');
    return this;
  }

  /** Appends lines as they are, indented. */
  Roff verbatim(String lines) {
    text.append(".nf\n");
    lines.lines().forEach(line -> line(line.stripTrailing()));
    text.append(".fi\n");
    return this;
  }

  /** Appends paragraphs and lists, the former with a macro between them. */
  Roff body(List<String> paragraphs, String separator) {
    for (int i = 0; i < paragraphs.size(); i++) {
      if (i > 0 && !paragraphs.get(i).startsWith("- ")) {
        macro(separator);
      }
      item(paragraphs.get(i));
    }
    return this;
  }

  private void item(String paragraph) {
    boolean inList = false;
    for (String line : paragraph.split("\n", -1)) {
      if (line.startsWith("- ")) {
        if (!inList) {
          macro("RS");
        }
        inList = true;
        raw(".IP \\(bu 2");
        paragraph(line.substring(2));
      } else {
        paragraph(line);
      }
    }
    if (inList) {
      macro("RE");
    }
  }

  private void line(String line) {
    if (line.isEmpty()) {
      // An empty line, in text that is not filled.
      text.append("\\&\n");
      return;
    }
    boolean isRequest = line.startsWith(".") || line.startsWith("'");
    text.append(isRequest ? "\\&" : "").append(escaped(line)).append('\n');
  }

  /** Returns text in bold. */
  static String bold(String words) {
    return "\\fB" + escaped(words) + "\\fR";
  }

  /** Returns text in italics. */
  static String italic(String words) {
    return "\\fI" + escaped(words) + "\\fR";
  }

  /** Returns text in which nothing has a meaning for roff. */
  static String escaped(String words) {
    StringBuilder escaped = new StringBuilder();
    words
        .codePoints()
        .forEach(
            character -> {
              switch (character) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '\'' -> escaped.append("\\(aq");
                case '"' -> escaped.append("\\(dq");
                case '`' -> escaped.append("\\(ga");
                case '^' -> escaped.append("\\(ha");
                case '~' -> escaped.append("\\(ti");
                default -> {
                  if (character >= FIRST_BEYOND_ASCII) {
                    escaped.append(String.format(Locale.ROOT, "\\[u%04X]", character));
                  } else if (character >= ' ' && character != 0x7f) {
                    escaped.appendCodePoint(character);
                  }
                }
              }
            });
    return escaped.toString();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
