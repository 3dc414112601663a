package dev.ply.layout;

import dev.ply.json.JsonFormat;
import dev.ply.json.JsonValues;
import dev.ply.render.ArgdistFormat;
import dev.ply.render.BpftraceFormat;
import dev.ply.render.BpftraceValues;
import dev.ply.render.PlyFormat;
import dev.ply.render.TextRenderer;
import dev.ply.result.Renderer;
import dev.ply.table.ArgdistTable;
import dev.ply.table.DatumFormat;
import dev.ply.target.Target;
import dev.ply.text.Escaping;
import java.util.Map;
import java.util.Optional;

/** An output layout, chosen by the front end. */
@FunctionalInterface
public interface Layout {
  /** ply's: maps in braces, keys in columns, strings escaped. */
  Layout PLY = target -> new PlyFormat(new DatumFormat(target));

  /** ply's, with unescaped {@code %s} and {@code %c} of {@code printf}. */
  Layout PLY_RAW = target -> new PlyFormat(new DatumFormat(target).raw());

  /** That of ply 2.4: columns as wide as the types allow, maps of histograms in no order. */
  Layout PLY_COMPATIBLE = target -> new PlyFormat(new DatumFormat(target).compatible());

  /** That of ply 2.4, with unescaped {@code %s} and {@code %c} of {@code printf}. */
  Layout PLY_COMPATIBLE_RAW = target -> new PlyFormat(new DatumFormat(target).compatible().raw());

  /** bpftrace's. */
  Layout BPFTRACE = target -> bpftrace(target, Escaping.ALL_BUT_LINES);

  /**
   * JSON lines, {@code printf} as in {@link #PLY_RAW}: a map is an array of its rows, a key an
   * array of its parts, a stack trace an array of its frames.
   */
  Layout PLY_JSON =
      target ->
          new JsonFormat(
              new PlyFormat(new DatumFormat(target).raw()),
              new JsonValues(json(target)).withArrays());

  /** JSON lines, {@code printf} as in {@link #BPFTRACE}, unescaped. */
  Layout BPFTRACE_JSON = target -> json(bpftrace(target, Escaping.NONE), json(target).withTruth());

  /**
   * {@return BCC argdist's layout}
   *
   * @param tables how the maps are shown, by name
   */
  static Layout argdist(Map<String, ArgdistTable> tables) {
    Map<String, ArgdistTable> byName = Map.copyOf(tables);
    return target ->
        new ArgdistFormat(new BpftraceFormat(new BpftraceValues(target, Escaping.ALL)), byName);
  }

  /**
   * {@return this layout with the symbols and the clock of {@code target}}
   *
   * @param target that the results come from
   */
  Renderer on(Target target);

  /** {@return the layout of printed results that this one has no place for; empty if it has all} */
  default Optional<Layout> others() {
    return Optional.empty();
  }

  private static TextRenderer bpftrace(Target target, Escaping escaping) {
    return new BpftraceFormat(new BpftraceValues(target, escaping).withTruth());
  }

  private static BpftraceValues json(Target target) {
    return new BpftraceValues(target, Escaping.NONE);
  }

  private static JsonFormat json(TextRenderer text, BpftraceValues values) {
    return new JsonFormat(text, new JsonValues(values));
  }
}
