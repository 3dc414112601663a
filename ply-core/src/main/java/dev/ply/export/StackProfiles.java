package dev.ply.export;

import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricNames;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.TableSchema;
import dev.ply.target.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The maps of a session that are keyed by stacks, as a profile for each period. The other parts of
 * the keys are labels. A map has a limited number of label sets; samples beyond it have the label
 * {@code overflow}, so the profiles of a session still add up to its maps. Not thread-safe.
 */
public final class StackProfiles {
  /** The label of samples whose own labels exceed the limit. */
  public static final String OVERFLOW = "overflow";

  /** Names of series that stores have a meaning for, or that a profile has of its own. */
  private static final Set<String> OF_SERIES = Set.of("map", "host", "service_name", OVERFLOW);

  private static final Set<String> THREADS = Set.of("pid", "tid");

  /** Stores take fewer than 30 labels. */
  private static final int MOST_LABELS = 16;

  private final Target target;
  private final Limits limits;
  private final Map<String, Map<Map<String, String>, Instant>> known = new HashMap<>();

  /**
   * How many labels there are.
   *
   * @param threadLabels whether parts of keys called {@code pid} and {@code tid} are labels
   * @param most combinations of labels of a map, at least 1
   * @param kept how long a combination that is not used counts
   */
  public record Limits(boolean threadLabels, int most, Duration kept) {}

  private record Identity(List<ProfileFrame> frames, Map<String, String> labels) {}

  /**
   * Creates the profiles of a session, none yet.
   *
   * @param target that it runs on
   * @param limits of labels
   */
  public StackProfiles(Target target, Limits limits) {
    this.target = target;
    this.limits = limits;
  }

  /**
   * {@return whether a map is a profile that grows: keyed by stacks, and what was added to it in
   * two periods can be added up}
   *
   * @param schema of the map
   */
  public static boolean isPushed(TableSchema schema) {
    return schema.isProfile() && schema.addsUp();
  }

  /**
   * {@return the profiles of a period; none of a map to which nothing was added}
   *
   * @param added what was added in the period
   * @param begin of the period
   * @param end of the period
   */
  public List<StackProfile> of(Result.Snapshot added, Instant begin, Instant end) {
    List<StackProfile> profiles = new ArrayList<>();
    for (StackMap map : StackMap.of(added, target)) {
      if (isPushed(map.map().schema()) && !map.map().table().isEmpty()) {
        profiles.add(
            new StackProfile(
                map.map().name(),
                map.values().stream().map(StackProfiles::withUnit).toList(),
                map.period(),
                begin,
                Duration.between(begin, end),
                samples(map, end)));
      }
    }
    return profiles;
  }

  /** A store asks for the unit of a plain number, too. */
  private static StackProfile.ValueType withUnit(StackProfile.ValueType type) {
    return type.unit().isEmpty() ? new StackProfile.ValueType(type.type(), "count") : type;
  }

  private List<StackProfile.Sample> samples(StackMap map, Instant now) {
    NamedTable table = map.map();
    Map<Map<String, String>, Instant> combinations =
        known.computeIfAbsent(table.name(), name -> new HashMap<>());
    combinations.values().removeIf(used -> used.isBefore(now.minus(limits.kept())));
    LabelText texts = new LabelText(table.table().target());
    List<String> names = names(table.schema().keys());
    Map<Identity, long[]> samples = new LinkedHashMap<>();
    for (Row<Datum> row : table.table()) {
      Optional<long[]> numbers = map.numbers(row);
      if (numbers.isEmpty()) {
        continue;
      }
      Map<String, String> labels = limited(combinations, labels(row, names, texts), now);
      samples.merge(new Identity(map.stack(row), labels), numbers.get(), StackProfiles::plus);
    }
    return samples.entrySet().stream()
        .map(
            one ->
                new StackProfile.Sample(
                    one.getKey().frames(),
                    one.getKey().labels(),
                    Arrays.stream(one.getValue()).boxed().toList()))
        .toList();
  }

  /** Returns the name of the label of each part of a key; empty for one that is none. */
  private List<String> names(List<TableSchema.Column> keys) {
    List<String> names = new ArrayList<>(MetricNames.labels(keys));
    int labels = 0;
    for (int i = 0; i < names.size(); i++) {
      boolean isLabel =
          labels < MOST_LABELS && (limits.threadLabels() || !THREADS.contains(keys.get(i).name()));
      labels += isLabel ? 1 : 0;
      String name = names.get(i);
      while (OF_SERIES.contains(name) || (!name.equals(names.get(i)) && names.contains(name))) {
        name = "key_" + name;
      }
      names.set(i, isLabel ? name : "");
    }
    return names;
  }

  private static Map<String, String> labels(Row<Datum> row, List<String> names, LabelText texts) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      Datum part = row.key().parts().get(i);
      if (!names.get(i).isEmpty() && !part.isStack()) {
        labels.put(names.get(i), LabelText.bounded(texts.of(part)));
      }
    }
    return labels;
  }

  private Map<String, String> limited(
      Map<Map<String, String>, Instant> combinations, Map<String, String> labels, Instant now) {
    if (combinations.containsKey(labels) || combinations.size() < limits.most()) {
      combinations.put(labels, now);
      return labels;
    }
    return Map.of(OVERFLOW, "true");
  }

  private static long[] plus(long[] one, long[] other) {
    long[] sum = one.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other[i];
    }
    return sum;
  }
}
