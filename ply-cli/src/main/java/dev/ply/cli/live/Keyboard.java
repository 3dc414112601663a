package dev.ply.cli.live;

import java.io.IOException;
import java.util.Optional;
import org.jline.terminal.KeyEvent;
import org.jline.terminal.KeyParser;
import org.jline.utils.NonBlockingReader;

/** Reads keys, which terminals send as one character or as a sequence that begins with escape. */
final class Keyboard {
  /** The rest of a sequence follows within this time, also by ssh. */
  private static final long SEQUENCE_MILLIS = 50;

  private static final int LONGEST = 16;
  private static final char ESCAPE = 27;
  private static final char CTRL_L = 12;
  private static final char DELETE = 127;

  private final NonBlockingReader reader;

  Keyboard(NonBlockingReader reader) {
    this.reader = reader;
  }

  /**
   * Waits for a key.
   *
   * @return the key; empty if there was none within the time
   * @throws IOException if the terminal is gone
   */
  Optional<Key> read(long millis) throws IOException {
    int first = reader.read(millis);
    if (first == NonBlockingReader.READ_EXPIRED) {
      return Optional.empty();
    }
    if (first < 0) {
      throw new IOException("the terminal is gone");
    }
    return Optional.of(first == ESCAPE ? sequence() : character((char) first));
  }

  private static Key character(char character) {
    return switch (character) {
      case '\r', '\n' -> Key.of(Key.Name.ENTER);
      case '\t' -> Key.of(Key.Name.TAB);
      case '\b', DELETE -> Key.of(Key.Name.BACKSPACE);
      case CTRL_L -> Key.of(Key.Name.REDRAW);
      default -> character < ' ' ? Key.of(Key.Name.OTHER) : Key.of(character);
    };
  }

  private Key sequence() throws IOException {
    // Somebody who types fast has pressed Escape, and another key that sends one.
    if (reader.peek(SEQUENCE_MILLIS) == ESCAPE) {
      return Key.of(Key.Name.ESCAPE);
    }
    StringBuilder text = new StringBuilder().append(ESCAPE);
    while (text.length() < LONGEST && !isComplete(text)) {
      int next = reader.read(SEQUENCE_MILLIS);
      if (next < 0) {
        break;
      }
      text.append((char) next);
    }
    if (text.length() == 1) {
      return Key.of(Key.Name.ESCAPE);
    }
    if (text.toString().equals("\033[Z")) {
      return Key.of(Key.Name.BACK_TAB);
    }
    return named(KeyParser.parse(text.toString()));
  }

  /** Returns whether the last character ends a sequence. */
  private static boolean isComplete(StringBuilder text) {
    char last = text.charAt(text.length() - 1);
    boolean isIntroduced = text.length() > 1 && (text.charAt(1) == '[' || text.charAt(1) == 'O');
    return text.length() > (isIntroduced ? 2 : 1) && (last >= '@' || !isIntroduced);
  }

  private static Key named(KeyEvent event) {
    return switch (event.getType()) {
      case Arrow ->
          Key.of(
              switch (event.getArrow()) {
                case Up -> Key.Name.UP;
                case Down -> Key.Name.DOWN;
                case Left -> Key.Name.LEFT;
                case Right -> Key.Name.RIGHT;
              });
      case Special ->
          Key.of(
              switch (event.getSpecial()) {
                case PageUp -> Key.Name.PAGE_UP;
                case PageDown -> Key.Name.PAGE_DOWN;
                case Home -> Key.Name.HOME;
                case End -> Key.Name.END;
                case Enter -> Key.Name.ENTER;
                case Tab -> Key.Name.TAB;
                default -> Key.Name.OTHER;
              });
      default -> Key.of(Key.Name.OTHER);
    };
  }
}
