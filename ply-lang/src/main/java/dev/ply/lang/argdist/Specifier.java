package dev.ply.lang.argdist;

import java.util.List;
import java.util.Optional;

/**
 * A specifier: {@code p:c:write(int fd, char *buf):int,char*:fd,buf:fd > 2#writes}.
 *
 * @param whole its text
 * @param library the library or the tracepoint's category; empty for the kernel
 * @param parameters the parameters that the signature names
 * @param columns what is collected; empty for the default
 * @param label what the results are called
 */
record Specifier(
    Collect collect,
    Slice whole,
    Kind kind,
    Slice library,
    Slice function,
    List<Parameter> parameters,
    List<Column> columns,
    Optional<Slice> filter,
    Optional<String> label) {
  Specifier {
    parameters = List.copyOf(parameters);
    columns = List.copyOf(columns);
  }

  /** The kind of probe. */
  enum Kind {
    /** The entry of a function. */
    ENTRY("p"),
    /** The return from a function. */
    RETURN("r"),
    /** A tracepoint. */
    TRACEPOINT("t"),
    /** A USDT probe. */
    USDT("u");

    private final String letter;

    Kind(String letter) {
      this.letter = letter;
    }

    /** Returns the kind of a letter. */
    static Optional<Kind> of(String letter) {
      for (Kind kind : values()) {
        if (kind.letter.equals(letter)) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }
  }

  /** A named parameter. */
  record Parameter(String name, CType type) {}

  /** An expression and the type of its values. */
  record Column(CType type, Slice expression) {}

  /** Returns whether the probed code and its addresses are in user space. */
  boolean isInUserSpace() {
    return switch (kind) {
      case ENTRY, RETURN -> library.length() > 0;
      case USDT -> true;
      case TRACEPOINT -> false;
    };
  }

  /** Returns the text as people read it, on one line. */
  String heading() {
    return label.orElseGet(() -> oneLine(whole));
  }

  /** Returns a text without line breaks and the indentation after them. */
  static String oneLine(Slice text) {
    return text.text().replaceAll("\\s*\n\\s*", "");
  }
}
