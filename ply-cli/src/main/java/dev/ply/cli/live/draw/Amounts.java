package dev.ply.cli.live.draw;

import dev.ply.table.Bucket;
import dev.ply.table.TableSchema.Unit;
import dev.ply.text.Durations;
import dev.ply.text.TextBuffer;
import java.util.Locale;

/** Numbers that are read at a glance. */
final class Amounts {
  private static final String PREFIXES = "kMGTPE";
  private static final int THOUSAND = 1000;
  private static final int BINARY = 1024;

  private Amounts() {}

  /** Returns a number with commas: {@code 1,234,567}. */
  static String grouped(double number) {
    return String.format(Locale.ROOT, "%,d", Math.round(number));
  }

  /** Returns a number, or a time, with three digits: {@code 12.3k}, {@code 1.20ms}. */
  static String brief(double number, Unit unit) {
    if (unit == Unit.NANOSECONDS) {
      TextBuffer out = new TextBuffer();
      Durations.append(out, Math.round(number), true);
      return out.toString();
    }
    if (Math.abs(number) < THOUSAND) {
      boolean isWhole = Math.abs(number) >= 100 || number == Math.rint(number);
      return String.format(Locale.ROOT, isWhole ? "%.0f" : "%.1f", number);
    }
    double rest = number;
    int prefix = -1;
    while (Math.abs(rest) >= THOUSAND - 0.5 && prefix < PREFIXES.length() - 1) {
      rest /= THOUSAND;
      prefix++;
    }
    String digits = Math.abs(rest) < 10 ? "%.2f" : Math.abs(rest) < 100 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, digits, rest) + PREFIXES.charAt(prefix);
  }

  /** Returns a limit of a bucket: {@code 16us}, {@code 4K}, {@code 100}. */
  static String limit(long value, Unit unit) {
    if (unit == Unit.NANOSECONDS) {
      return time(value);
    }
    long rest = value;
    int prefix = -1;
    while (rest != 0 && rest % BINARY == 0 && prefix < PREFIXES.length() - 1) {
      rest /= BINARY;
      prefix++;
    }
    return prefix < 0
        ? String.valueOf(value)
        : rest + String.valueOf(PREFIXES.charAt(prefix)).toUpperCase(Locale.ROOT);
  }

  /** Powers of two are close to those of ten: 1,024 ns are shown as 1us. */
  private static String time(long nanos) {
    String[] units = {"ns", "us", "ms", "s"};
    double rest = nanos;
    int unit = 0;
    while (Math.abs(rest) >= THOUSAND && unit < units.length - 1) {
      rest /= THOUSAND;
      unit++;
    }
    boolean isWhole = unit == 0 || Math.abs(rest) >= 10 || Math.abs(rest - Math.rint(rest)) < 0.1;
    return String.format(Locale.ROOT, isWhole ? "%.0f" : "%.1f", rest) + units[unit];
  }

  /** Returns a bucket: {@code 16us-33us}, {@code below 0}, {@code from 1K}. */
  static String range(Bucket bucket, Unit unit, String dash) {
    if (bucket.low().isEmpty()) {
      return "below " + limit(bucket.high().orElse(0), unit);
    }
    if (bucket.high().isEmpty()) {
      return "from " + limit(bucket.low().getAsLong(), unit);
    }
    long low = bucket.low().getAsLong();
    long high = bucket.high().getAsLong();
    return high - low == 1 ? limit(low, unit) : limit(low, unit) + dash + limit(high, unit);
  }
}
