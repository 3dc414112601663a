package dev.ply.lang.events;

import java.util.Optional;

/** The kind of an event, by the letter that starts its definition. */
public enum EventKind {
  /** An instruction, or with {@code %return} a function's return. */
  PROBE('p'),
  /** A function's return. */
  RETURN('r'),
  /** A kernel function's entry or, with {@code %return}, its exit, by fprobe. */
  FUNCTION('f'),
  /** A raw tracepoint. */
  TRACEPOINT('t'),
  /** A record of another event: an event probe. */
  RECORD('e');

  private final char letter;

  EventKind(char letter) {
    this.letter = letter;
  }

  /** Returns the letter that starts definitions. */
  public char letter() {
    return letter;
  }

  /** Returns the kind of a letter, if there is one. */
  public static Optional<EventKind> of(char letter) {
    for (EventKind kind : values()) {
      if (kind.letter == letter) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
