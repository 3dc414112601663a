package dev.ply.table;

import dev.ply.target.WallClock;
import dev.ply.text.Durations;
import dev.ply.text.Padding;
import dev.ply.text.TextBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws a time series as bpftrace does: a row for each interval, from the first with a value to the
 * newest of the map, with a mark between the smallest value and the largest.
 */
public final class SeriesFormat {
  private static final int COLUMNS = 53;
  private static final int SMALLEST_COLUMNS = 21;
  private static final String EMPTY = "<no data>";

  private final TextBuffer out;
  private final TimeSeries series;
  private final boolean isSigned;
  private final boolean isDuration;
  private final Fraction fraction;
  private final long least;
  private final long most;

  /** The part of a second that distinguishes intervals; units have their columns in UTF-8. */
  private enum Fraction {
    SECONDS("", 0),
    MILLIS(".ms", 3),
    MICROS(".μs", 6),
    NANOS(".ns", 9);

    private final String unit;
    private final int digits;

    Fraction(String unit, int digits) {
      this.unit = unit;
      this.digits = digits;
    }

    static Fraction of(long nanos) {
      if (nanos >= 1_000_000_000) {
        return SECONDS;
      }
      return nanos >= 1_000_000 ? MILLIS : nanos >= 1_000 ? MICROS : NANOS;
    }

    int columns() {
      return "hh:mm:ss".length() + (digits == 0 ? 0 : 1 + digits);
    }

    String time(ZonedDateTime time) {
      String nanos = String.format(Locale.ROOT, "%09d", time.getNano());
      String whole = DateTimeFormatter.ISO_LOCAL_TIME.format(time.withNano(0));
      return (whole.length() == 5 ? whole + ":00" : whole)
          + (digits == 0 ? "" : "." + nanos.substring(0, digits));
    }
  }

  private SeriesFormat(TextBuffer out, TimeSeries series, boolean hasUnits) {
    this.out = out;
    this.isDuration = hasUnits && series.valueType().format().isDuration();
    this.series = series;
    this.isSigned = series.valueType().isSigned();
    List<Long> values = series.points().stream().map(TimeSeries.Point::value).toList();
    long smallest = values.stream().min(this::compare).orElse(0L);
    long largest = values.stream().max(this::compare).orElse(0L);
    boolean isOne = smallest == largest;
    this.least = isOne && smallest != smallest(isSigned) ? smallest - 1 : smallest;
    this.most = isOne && largest != largest(isSigned) ? largest + 1 : largest;
    boolean isAlone =
        series.points().isEmpty() || series.points().get(0).start() == series.latest();
    this.fraction = Fraction.of(isAlone ? 0 : series.interval());
  }

  /**
   * Writes the rows, each with its newline; a series without values is a message.
   *
   * @param out receives the rows
   * @param series of one key
   * @param clock that shows the intervals
   */
  public static void append(TextBuffer out, TimeSeries series, WallClock clock) {
    append(out, series, clock, false);
  }

  /**
   * Writes the same, durations with their units if {@code hasUnits}.
   *
   * @param out receives the rows
   * @param series of one key
   * @param clock that shows the intervals
   * @param hasUnits whether durations have units
   */
  public static void append(TextBuffer out, TimeSeries series, WallClock clock, boolean hasUnits) {
    if (series.points().isEmpty()) {
      out.append(EMPTY);
    } else {
      new SeriesFormat(out, series, hasUnits).draw(clock);
    }
  }

  private static long smallest(boolean isSigned) {
    return isSigned ? Long.MIN_VALUE : 0;
  }

  private static long largest(boolean isSigned) {
    return isSigned ? Long.MAX_VALUE : -1;
  }

  private int compare(long a, long b) {
    return isSigned ? Long.compare(a, b) : Long.compareUnsigned(a, b);
  }

  private void draw(WallClock clock) {
    limits();
    String heading = "hh:mm:ss" + fraction.unit;
    out.append(heading);
    // Bytes are counted, as bpftrace does.
    int bytes = heading.getBytes(StandardCharsets.UTF_8).length;
    Padding.spaces(out, fraction.columns() + 1 - bytes);
    out.append('|').fill('_', COLUMNS - 2).append("|\n");
    Map<Long, Long> values = new HashMap<>();
    series.points().forEach(point -> values.put(point.start(), point.value()));
    long first = series.points().get(0).start();
    for (long start = first; start <= series.latest(); start += series.interval()) {
      out.append(fraction.time(clock.atBootTime(start))).append(' ');
      char[] row = row();
      if (values.containsKey(start)) {
        row[offset(values.get(start))] = '*';
        out.append(new String(row)).append(' ').append(number(values.get(start))).append('\n');
      } else {
        out.append(new String(row)).append(" -\n");
      }
    }
    Padding.spaces(out, fraction.columns() + 1);
    out.append('v').fill('_', COLUMNS - 2).append("v\n");
    limits();
  }

  /** Returns a row without a mark, with a dot at zero if values are on both of its sides. */
  private char[] row() {
    char[] row = " ".repeat(COLUMNS).toCharArray();
    row[0] = '|';
    row[COLUMNS - 1] = '|';
    if (isSigned && least < 0 && most > 0) {
      int zero = (int) (COLUMNS * (float) least / ((float) least - (float) most));
      if (zero > 0) {
        row[zero] = '.';
      }
    }
    return row;
  }

  /** In single precision, as bpftrace computes: else marks differ by a column. */
  private int offset(long value) {
    float distance = unsigned(value - least) * (COLUMNS - 1);
    int offset = (int) (distance / unsigned(most - least));
    return Math.max(0, Math.min(COLUMNS - 1, offset));
  }

  private static float unsigned(long number) {
    return number >= 0 ? number : (float) ((number >>> 1) * 2.0);
  }

  private void limits() {
    Padding.spaces(out, fraction.columns() + 1);
    String low = number(least);
    String high = number(most);
    out.append(low);
    Padding.spaces(out, SMALLEST_COLUMNS - low.length());
    Padding.spaces(out, COLUMNS - SMALLEST_COLUMNS - high.length());
    out.append(high).append('\n');
  }

  private String number(long value) {
    if (isDuration) {
      TextBuffer duration = new TextBuffer();
      Durations.append(duration, value, isSigned);
      return duration.toString();
    }
    return isSigned ? Long.toString(value) : Long.toUnsignedString(value);
  }
}
