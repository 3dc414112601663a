package dev.ply.text;

/** Formats nanoseconds as ply 2.4 does: right-aligned, with at most four digits and a unit. */
public final class CompatibleDurations {
  private CompatibleDurations() {}

  /**
   * A unit.
   *
   * @param divisor by which the value in the previous unit is divided
   * @param decimals digits after the decimal point
   */
  private record Step(int divisor, int decimals, String unit) {}

  private static final Step[] STEPS = {
    new Step(1, 0, "ns"),
    new Step(10, 2, "us"),
    new Step(10, 1, "us"),
    new Step(10, 0, "us"),
    new Step(10, 2, "ms"),
    new Step(10, 1, "ms"),
    new Step(10, 0, "ms"),
    new Step(10, 2, " s"),
    new Step(10, 1, " s"),
    new Step(10, 0, " s"),
    new Step(60, 0, " M"),
    new Step(60, 0, " H"),
    new Step(24, 0, " D"),
    new Step(365, 0, " Y"),
  };

  /** Writes {@code nanos}; digits that are not shown are truncated. */
  public static void append(TextBuffer out, long nanos, boolean signed) {
    if (signed && nanos < 0) {
      Padding.spaces(out, 4 - 1 - TextBuffer.decimalDigits(-nanos));
      out.append(nanos);
      out.append("ns");
      return;
    }
    long value = nanos;
    for (Step step : STEPS) {
      value = Long.divideUnsigned(value, step.divisor());
      if (Long.compareUnsigned(value, 999) <= 0) {
        append(out, (int) value, step);
        return;
      }
    }
    append(out, (int) value, STEPS[STEPS.length - 1]);
  }

  private static void append(TextBuffer out, int value, Step step) {
    if (step.decimals() == 0) {
      Padding.append(out, value, 4);
    } else {
      int scale = step.decimals() == 1 ? 10 : 100;
      int fraction = value % scale;
      Padding.append(out, value / scale, 3 - step.decimals());
      out.append('.');
      if (scale == 100 && fraction < 10) {
        out.append('0');
      }
      out.append(fraction);
    }
    out.append(step.unit());
  }
}
