package dev.ply.metrics.model;

import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.FlameGraph;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import dev.ply.type.Escapes;
import java.util.Optional;

/** Parts of keys as values of labels. */
public final class LabelText {
  /** The characters of a label of an exported series; longer ones end with {@link #CUT}. */
  public static final int MOST = 256;

  /** The end of a label that was cut. */
  public static final String CUT = "…";

  private final DatumFormat format;
  private final KernelSymbols symbols;

  /**
   * Creates the text of a table's keys.
   *
   * @param origin what the table was read on, if it is known
   */
  public LabelText(Optional<Target> origin) {
    this.symbols = origin.map(Target::symbols).orElse(KernelSymbols.NONE);
    this.format = origin.map(DatumFormat::new).orElse(DatumFormat.PLAIN).raw();
  }

  /**
   * {@return a value as text, unescaped: stacks folded, durations in nanoseconds}
   *
   * @param value of any kind
   */
  public String of(Datum value) {
    if (value.isStack()) {
      return FlameGraph.folded(FlameGraph.functions(value, symbols));
    } else if (value instanceof Datum.Text text) {
      return text.text();
    } else if (value instanceof Datum.Int number && number.type().format().isDuration()) {
      return Long.toString(number.value());
    }
    return format.format(value).strip();
  }

  /**
   * {@return text without control characters, in valid UTF-8: a backslash is doubled, so that no
   * text looks like the escape of another}
   *
   * @param text of any characters
   */
  public static String escaped(String text) {
    return Escapes.escape(text.replace("\\", "\\\\"));
  }

  /**
   * {@return the text escaped and cut}
   *
   * @param text of any characters
   */
  public static String bounded(String text) {
    String escaped = escaped(text.length() > MOST ? text.substring(0, MOST) : text);
    if (escaped.length() <= MOST && text.length() <= MOST) {
      return escaped;
    }
    int end = Math.min(escaped.length(), MOST - CUT.length());
    return escaped.substring(0, Character.isHighSurrogate(escaped.charAt(end - 1)) ? end - 1 : end)
        + CUT;
  }
}
