package dev.ply.result;

import dev.ply.target.Target;
import java.util.function.Function;

/** Output layouts, chosen by the front end. */
public enum Layout {
  /** ply's: maps in braces, values in columns, strings escaped. */
  PLY(target -> new PlyFormat(new DatumFormat(target))),
  /** ply's, with unescaped {@code %s} and {@code %c} of {@code printf}. */
  PLY_RAW(target -> new PlyFormat(new DatumFormat(target).raw())),
  /** bpftrace's. */
  BPFTRACE(target -> new BpftraceFormat(new BpftraceValues(target)));

  private final Function<Target, ResultFormat> format;

  Layout(Function<Target, ResultFormat> format) {
    this.format = format;
  }

  /** Returns this layout with the symbols and the clock of {@code target}. */
  public ResultFormat on(Target target) {
    return format.apply(target);
  }
}
