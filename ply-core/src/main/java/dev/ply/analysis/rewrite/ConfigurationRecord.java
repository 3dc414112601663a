package dev.ply.analysis.rewrite;

import dev.ply.analysis.site.ExpandPoint;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.table.Datum;
import dev.ply.type.Dialect;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The settings of a script as a value: a record with a member for each. */
final class ConfigurationRecord {
  /** As many keys as a map of bpftrace has by default. */
  private static final int BPFTRACE_MAP_KEYS = 4096;

  private ConfigurationRecord() {}

  /** Returns the settings of the script, and the defaults of known ones. */
  static Expr of(Configuration configuration, SourceSpan span) {
    Map<Setting, String> values = defaults(configuration.dialect());
    values.putAll(configuration.values());
    List<String> names = new ArrayList<>(values.size());
    List<Expr> elements = new ArrayList<>(values.size());
    values.forEach(
        (setting, value) -> {
          names.add(setting.toString());
          elements.add(value(setting, value, span));
        });
    return new Expr.Tuple(names, elements, span);
  }

  private static Map<Setting, String> defaults(Dialect dialect) {
    boolean isBpftrace = dialect == Dialect.BPFTRACE;
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    values.put(Setting.MAX_STRLEN, Integer.toString(MemoryBuiltins.DEFAULT_STRING_SIZE));
    values.put(Setting.STR_TRUNC_TRAILER, Datum.Text.CUT_MARK);
    values.put(Setting.MAX_PROBES, Integer.toString(ExpandPoint.MOST_SITES));
    values.put(Setting.STACK_MODE, isBpftrace ? "bpftrace" : "ply");
    values.put(Setting.SHOW_DEBUG_INFO, "false");
    values.put(Setting.MISSING_PROBES, "error");
    values.put(Setting.WRITE_PERF_MAPS, "true");
    values.put(Setting.PRINT_MAPS_ON_EXIT, "true");
    values.put(Setting.CPP_DEMANGLE, "true");
    values.put(Setting.LICENSE, "GPL");
    if (isBpftrace) {
      values.put(Setting.MAX_MAP_KEYS, Integer.toString(BPFTRACE_MAP_KEYS));
    }
    return values;
  }

  private static Expr value(Setting setting, String value, SourceSpan span) {
    return switch (setting.kind()) {
      case NUMBER -> Expr.number(Long.parseLong(value), span);
      case TRUTH -> Expr.Cast.truth(value.equals("true") || value.equals("1"), span);
      case STACK_MODE, REACTION, TEXT, LICENSE, WITHOUT_EFFECT ->
          new Expr.StringLiteral(value, span);
    };
  }
}
