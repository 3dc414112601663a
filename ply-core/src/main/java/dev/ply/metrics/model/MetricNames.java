package dev.ply.metrics.model;

import dev.ply.table.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Names of metrics and labels: letters, digits and underscores, of at most 100 characters. */
public final class MetricNames {
  private static final int MOST = 100;

  /** Labels that formats and overflow series have a meaning for. */
  private static final Set<String> RESERVED = Set.of("le", "value", "row", "script", "quantile");

  private MetricNames() {}

  /**
   * {@return the name of a map's metric without unit and suffix: {@code ply_SCRIPT_MAP}}
   *
   * @param script what the map is of; empty leaves it out
   * @param map as the script writes it
   */
  public static String base(Optional<String> script, String map) {
    String name = name(map);
    String base =
        "ply"
            + script
                .map(MetricNames::name)
                .map(one -> one.startsWith("_") ? one : "_" + one)
                .orElse("")
            + (name.startsWith("_") ? "" : "_")
            + (name.equals("_") ? "_map" : name);
    // No name is one of the samples of another metric.
    return base.replaceAll("_(total|count|sum|bucket|info|created)$", "_$1_map");
  }

  /**
   * {@return the end of a name that tells its unit, without the underscore}
   *
   * @param unit of the values
   */
  public static Optional<String> unit(TableSchema.Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> Optional.of("seconds");
      case BYTES -> Optional.of("bytes");
      case PAGES -> Optional.of("pages");
      case CALLS, NONE -> Optional.empty();
    };
  }

  /**
   * {@return a name with its unit at the end, once}
   *
   * @param base the name without
   * @param unit as {@link #unit} returns it
   */
  public static String withUnit(String base, Optional<String> unit) {
    return unit.filter(one -> !base.endsWith("_" + one)).map(one -> base + "_" + one).orElse(base);
  }

  /**
   * {@return a name for each part of a key, no two the same}
   *
   * @param keys the parts, in order
   */
  public static List<String> labels(List<TableSchema.Column> keys) {
    List<String> labels = new ArrayList<>();
    Set<String> used = new HashSet<>(RESERVED);
    for (TableSchema.Column column : keys) {
      String label = name(column.name());
      String free = label.startsWith("_") ? "key" + label : label;
      String distinct = free;
      for (int i = 2; !used.add(distinct); i++) {
        distinct = free + "_" + i;
      }
      labels.add(distinct);
    }
    return labels;
  }

  /**
   * {@return what a map's metric is, in a line: {@code @reads: count by comm}}
   *
   * @param schema of the map
   */
  public static String help(TableSchema schema) {
    String keys =
        schema.keys().stream().map(TableSchema.Column::name).collect(Collectors.joining(", "));
    return schema.map()
        + schema.aggregation().map(one -> ": " + one).orElse("")
        + (keys.isEmpty() ? "" : " by " + keys);
  }

  private static String name(String text) {
    String plain =
        text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_+|_+$", "");
    String begun = plain.isEmpty() || Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
    return begun.substring(0, Math.min(begun.length(), MOST));
  }
}
