package dev.ply.table;

import dev.ply.text.TextBuffer;
import java.util.List;

/**
 * A column of a table: one part of all keys.
 *
 * @param width the characters of the widest part; 0 if parts have lines of their own, as stacks do
 * @param isNumeric whether parts are numbers, which are aligned at their right
 */
record KeyColumn(int width, boolean isNumeric) {
  /** Wider parts, paths say, stick out, so that the others do not all move to the far right. */
  private static final int MOST = 64;

  /** Returns the column of the parts at an index. */
  static KeyColumn of(DatumFormat data, List<Row<Datum>> rows, int index) {
    TextBuffer part = new TextBuffer();
    int width = 0;
    boolean isNumeric = true;
    for (Row<Datum> row : rows) {
      Datum datum = row.key().parts().get(index);
      part.clear();
      data.append(part, datum);
      if (hasLines(part)) {
        return new KeyColumn(0, false);
      }
      int columns = part.characters(0);
      width = columns > MOST ? width : Math.max(width, columns);
      isNumeric &= datum instanceof Datum.Int number && isNumber(number, part);
    }
    return new KeyColumn(width, isNumeric);
  }

  /** Writes a part in this column. */
  void append(TextBuffer out, DatumFormat data, Datum part) {
    int start = out.length();
    data.append(out, part);
    int missing = width - out.characters(start);
    if (missing > 0) {
      if (isNumeric) {
        out.insert(start, ' ', missing);
      } else {
        out.fill(' ', missing);
      }
    }
  }

  /** Returns whether a number is shown as one, not as a name, an address or a time of day. */
  private static boolean isNumber(Datum.Int number, TextBuffer shown) {
    return switch (number.type().format()) {
      case SYMBOL, PROBE, CGROUP, TIME_OF_DAY, DATA_LOCATION -> false;
      case STACK, FUNCTIONS, USER_STACK, USER_FUNCTIONS -> false;
      default -> Character.isDigit(shown.at(0)) || shown.at(0) == '-';
    };
  }

  private static boolean hasLines(TextBuffer part) {
    for (int i = 0; i < part.length(); i++) {
      if (part.at(i) == '\n') {
        return true;
      }
    }
    return false;
  }
}
