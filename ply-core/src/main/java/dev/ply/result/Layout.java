package dev.ply.result;

import dev.ply.target.Target;
import java.util.function.Function;

/** The layouts in which a trace's results can be written: what a front end chooses. */
public enum Layout {
  /** That of ply: maps in braces, values in columns, strings escaped. */
  PLY(target -> new PlyFormat(new DatumFormat(target))),
  /** That of ply, but {@code %s} and {@code %c} of {@code printf} write bytes as they are. */
  PLY_RAW(target -> new PlyFormat(new DatumFormat(target).raw())),
  /** That of bpftrace. */
  BPFTRACE(target -> new BpftraceFormat(new BpftraceValues(target)));

  private final Function<Target, ResultFormat> format;

  Layout(Function<Target, ResultFormat> format) {
    this.format = format;
  }

  /** Returns the layout with the symbols and the clock of {@code target}. */
  public ResultFormat on(Target target) {
    return format.apply(target);
  }
}
