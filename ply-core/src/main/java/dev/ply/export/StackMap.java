package dev.ply.export;

import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.FlameGraph;
import dev.ply.table.FrameKind;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A map with stacks in its key, as the samples of a profile.
 *
 * @param map of a trace
 * @param symbols of the kernel that it was read on
 */
record StackMap(NamedTable map, KernelSymbols symbols) {
  /** Returns the maps of a snapshot that are profiles. */
  static List<StackMap> of(Result.Snapshot snapshot, Target target) {
    return snapshot.maps().stream()
        .filter(map -> map.schema().isProfile())
        .map(map -> new StackMap(map, map.table().target().orElse(target).symbols()))
        .toList();
  }

  /** Returns the CPU time that each count stands for. */
  Optional<Duration> period() {
    return map.schema().period();
  }

  private boolean isStatistics() {
    return map.schema().aggregation().filter("stats"::equals).isPresent();
  }

  private boolean isDistribution() {
    return !map.table().isEmpty() && map.table().rows().get(0).value().isDrawn();
  }

  /** Returns the values of each sample, at least one. */
  List<StackProfile.ValueType> values() {
    List<StackProfile.ValueType> values = new ArrayList<>();
    if (period().isPresent()) {
      values.add(new StackProfile.ValueType("samples", "count"));
      values.add(new StackProfile.ValueType("cpu", "nanoseconds"));
    } else if (isStatistics()) {
      values.add(new StackProfile.ValueType("count", "count"));
      values.add(named("total", map.schema().unit()));
    } else if (isDistribution()) {
      values.add(new StackProfile.ValueType("count", "count"));
    } else {
      values.add(named("value", map.schema().unit()));
    }
    return values;
  }

  private StackProfile.ValueType named(String otherwise, Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> new StackProfile.ValueType("time", "nanoseconds");
      case BYTES -> new StackProfile.ValueType("space", "bytes");
      case PAGES -> new StackProfile.ValueType("memory", "pages");
      case CALLS -> new StackProfile.ValueType("count", "count");
      case NONE -> new StackProfile.ValueType(otherwise, "");
    };
  }

  /** Returns the numbers of a row, one for each of {@link #values}; empty if it has none. */
  Optional<long[]> numbers(Row<Datum> row) {
    if (row.value() instanceof Datum.Stats stats) {
      return Optional.of(new long[] {stats.statistics().count(), stats.statistics().total()});
    }
    OptionalLong weight = row.value().weight();
    if (weight.isEmpty()) {
      return Optional.empty();
    }
    long number = weight.getAsLong();
    return Optional.of(
        period().isPresent()
            ? new long[] {number, number * period().get().toNanos()}
            : new long[] {number});
  }

  /** Returns the unit of {@link #weight}. */
  Unit weightUnit() {
    if (period().isPresent()) {
      return Unit.NANOSECONDS;
    }
    return isDistribution() ? Unit.CALLS : map.schema().unit();
  }

  /** Returns the one number of a row that viewers with a single one show. */
  OptionalLong weight(Row<Datum> row) {
    return numbers(row)
        .map(numbers -> OptionalLong.of(numbers[numbers.length - 1]))
        .orElse(OptionalLong.empty());
  }

  /** Returns the frames of a row, outermost first, those of other parts of the key before. */
  List<FlameGraph.Frame> functions(Row<Datum> row) {
    return FlameGraph.frames(row.key(), symbols);
  }

  /** Returns the same with their lines. */
  List<ProfileFrame> frames(Row<Datum> row) {
    return ProfileFrame.of(FlameGraph.stackFrames(row.key(), symbols));
  }

  /** Returns the frames of the stacks of a row, outermost first. */
  List<ProfileFrame> stack(Row<Datum> row) {
    return frames(row).stream().filter(frame -> frame.kind() != FrameKind.KEY).toList();
  }
}
