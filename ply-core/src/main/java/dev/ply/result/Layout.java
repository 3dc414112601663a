package dev.ply.result;

import dev.ply.target.Target;

/** Output layouts, chosen by the front end. */
public enum Layout {
  /** ply's: maps in braces, values in columns, strings escaped. */
  PLY,
  /** ply's, with unescaped {@code %s} and {@code %c} of {@code printf}. */
  PLY_RAW,
  /** bpftrace's. */
  BPFTRACE,
  /** JSON lines, {@code printf} as in {@link #PLY_RAW}. */
  PLY_JSON,
  /** JSON lines, {@code printf} as in {@link #BPFTRACE}, unescaped. */
  BPFTRACE_JSON,
  /** JSON lines that the formats of {@code printf} write themselves. */
  JSON_LINES;

  /** Returns this layout with the symbols and the clock of {@code target}. */
  public ResultFormat on(Target target) {
    return switch (this) {
      case PLY -> new PlyFormat(new DatumFormat(target));
      case PLY_RAW -> new PlyFormat(new DatumFormat(target).raw());
      case BPFTRACE -> bpftrace(target, Escaping.ALL_BUT_LINES);
      case PLY_JSON -> json(PLY_RAW.on(target), target);
      case JSON_LINES -> new JsonLinesFormat(json(PLY.on(target), target));
      case BPFTRACE_JSON -> json(bpftrace(target, Escaping.NONE), target);
    };
  }

  private static ResultFormat bpftrace(Target target, Escaping escaping) {
    return new BpftraceFormat(new BpftraceValues(target, escaping));
  }

  private static JsonFormat json(ResultFormat text, Target target) {
    return new JsonFormat(text, new JsonValues(new BpftraceValues(target, Escaping.NONE)));
  }
}
