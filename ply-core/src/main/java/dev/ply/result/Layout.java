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
  BPFTRACE(target -> bpftrace(target, Escaping.ALL_BUT_LINES)),
  /** JSON lines, {@code printf} as in {@link #PLY_RAW}. */
  PLY_JSON(target -> json(new PlyFormat(new DatumFormat(target).raw()), target)),
  /** JSON lines, {@code printf} as in {@link #BPFTRACE}, unescaped. */
  BPFTRACE_JSON(target -> json(bpftrace(target, Escaping.NONE), target));

  private final Function<Target, ResultFormat> format;

  Layout(Function<Target, ResultFormat> format) {
    this.format = format;
  }

  private static ResultFormat bpftrace(Target target, Escaping escaping) {
    return new BpftraceFormat(new BpftraceValues(target, escaping));
  }

  private static ResultFormat json(ResultFormat text, Target target) {
    return new JsonFormat(text, new JsonValues(new BpftraceValues(target, Escaping.NONE)));
  }

  /** Returns this layout with the symbols and the clock of {@code target}. */
  public ResultFormat on(Target target) {
    return format.apply(target);
  }
}
