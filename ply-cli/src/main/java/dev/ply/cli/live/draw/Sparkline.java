package dev.ply.cli.live.draw;

import dev.ply.cli.live.model.Minute;

/** The last minute as a row of bars, the newest at the right, as high as the largest allows. */
final class Sparkline {
  private Sparkline() {}

  /**
   * Returns the bars.
   *
   * @param columns a bar shows the average of several seconds if these are less than 60
   */
  static String of(Minute minute, int columns, Look look) {
    int cells = Math.min(columns, Minute.SECONDS);
    int each = (Minute.SECONDS + cells - 1) / cells;
    int bars = Minute.SECONDS / each;
    int skipped = Minute.SECONDS - bars * each;
    double[] values = new double[bars];
    double most = 0;
    for (int i = 0; i < bars; i++) {
      values[i] = average(minute, skipped + i * each, each);
      most = Double.isNaN(values[i]) ? most : Math.max(most, values[i]);
    }
    StringBuilder text = new StringBuilder(" ".repeat(columns - bars));
    String levels = look.bars();
    for (double value : values) {
      if (Double.isNaN(value)) {
        text.append(' ');
      } else {
        int level = most <= 0 ? 0 : (int) Math.ceil(value / most * levels.length()) - 1;
        text.append(levels.charAt(Math.max(0, Math.min(level, levels.length() - 1))));
      }
    }
    return text.toString();
  }

  private static double average(Minute minute, int first, int count) {
    double sum = 0;
    int known = 0;
    for (int i = first; i < first + count; i++) {
      float value = minute.at(i);
      if (!Float.isNaN(value)) {
        sum += value;
        known++;
      }
    }
    return known == 0 ? Double.NaN : sum / known;
  }
}
