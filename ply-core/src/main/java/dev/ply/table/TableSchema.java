package dev.ply.table;

import dev.ply.type.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the compiler knows about the rows of a map. Immutable.
 *
 * @param map its name as the script writes it
 * @param keys the parts of its keys, in order; none for a map without keys
 * @param value the type of its values; of an aggregation that of its result
 * @param aggregation how values are aggregated, as scripts write it: {@code count}, {@code
 *     quantize}; empty for a map that keeps the value last stored
 * @param unit what its values measure; of a distribution what is distributed
 * @param period the CPU time that each call stands for, if only a sampling timer counts them; else
 *     empty
 */
public record TableSchema(
    String map,
    List<Column> keys,
    Type value,
    Optional<String> aggregation,
    Unit unit,
    Optional<Duration> period) {
  private static final Set<String> ADDED = Set.of("count", "sum", "quantize", "lhist", "stats");

  /** Copies the columns. */
  public TableSchema {
    keys = List.copyOf(keys);
  }

  /**
   * The schema of a map that counts no samples.
   *
   * @param map its name as the script writes it
   * @param keys the parts of its keys, in order
   * @param value the type of its values
   * @param aggregation how values are aggregated, if they are
   * @param unit what its values measure
   */
  public TableSchema(
      String map, List<Column> keys, Type value, Optional<String> aggregation, Unit unit) {
    this(map, keys, value, aggregation, unit, Optional.empty());
  }

  /** {@return whether a part of the key is a stack} */
  public boolean hasStacks() {
    return keys.stream().anyMatch(key -> key.type().isStack());
  }

  /** {@return whether a part of the key is a stack, and values are numbers or count some} */
  public boolean isProfile() {
    boolean hasNumbers =
        aggregation.isPresent()
            ? !aggregation.get().equals("tseries")
            : value instanceof Type.IntType type && !type.isStack();
    return hasStacks() && hasNumbers;
  }

  /** {@return whether what was added to it in two periods can be added up} */
  public boolean addsUp() {
    return aggregation.filter(ADDED::contains).isPresent();
  }

  /**
   * A part of a key.
   *
   * @param name as the script writes it, {@code pid}, {@code comm}, {@code args.fd}; where it is no
   *     name but a longer expression, that
   * @param type of its values
   * @param unit what its values measure
   */
  public record Column(String name, Type type, Unit unit) {}

  /** Units of values. */
  public enum Unit {
    /** Nanoseconds: durations, and points in time since boot. */
    NANOSECONDS,
    /** Bytes. */
    BYTES,
    /** Pages of the kernel's memory. */
    PAGES,
    /** How often something happened. */
    CALLS,
    /** A number of which the compiler does not know what it measures, or no number. */
    NONE;

    /**
     * {@return the unit that a type alone tells, that of times}
     *
     * @param type of any kind
     */
    public static Unit of(Type type) {
      return type instanceof Type.IntType integer
              && (integer.format().isDuration() || integer.format().isPointInTime())
          ? NANOSECONDS
          : NONE;
    }
  }
}
