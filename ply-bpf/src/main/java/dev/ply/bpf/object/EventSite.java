package dev.ply.bpf.object;

import dev.ply.builtin.EmitFunction;
import dev.ply.type.Type.StructType;
import java.util.List;
import java.util.OptionalInt;

/**
 * A call in a script that sends events to user space, and the layout of its records.
 *
 * <p>A record is a structure whose field 0 is the site's 32-bit number.
 */
public sealed interface EventSite {
  /** Returns the number of this site in records, counted from 0. */
  int id();

  /** Returns the layout of a record. */
  StructType layout();

  /** {@code print(…)}. */
  record Print(int id, StructType layout, List<Item> items) implements EventSite {
    public Print {
      items = List.copyOf(items);
    }
  }

  /** {@code printf(format, …)}. */
  record Printf(int id, StructType layout, String format, List<Item> items) implements EventSite {
    public Printf {
      items = List.copyOf(items);
    }
  }

  /**
   * {@code emit} of the fluent API.
   *
   * @param function of the probe that sends; fields from 1 up are the record's components
   */
  record Emit(int id, StructType layout, EmitFunction<?> function) implements EventSite {}

  /**
   * {@code clear(map)}.
   *
   * @param shownBy the site that has just printed the map: only what it printed is cleared
   */
  record Clear(int id, StructType layout, String map, OptionalInt shownBy) implements EventSite {}

  /** {@code exit(status)}; field 1 is the status. */
  record Exit(int id, StructType layout) implements EventSite {}

  /** The first user stack of a process; field 1 is its PID. */
  record NewProcess(int id, StructType layout) implements EventSite {}

  /** A value to print. */
  sealed interface Item {
    /** The record's field {@code index}. */
    record Field(int index) implements Item {}

    /**
     * A map, as it is when the event is handled.
     *
     * @param top the maximum number of entries printed, those with the largest values
     * @param divisor by which values are divided
     */
    record WholeMap(String name, int top, long divisor) implements Item {
      /** All entries of a map, undivided. */
      public WholeMap(String name) {
        this(name, Integer.MAX_VALUE, 1);
      }
    }
  }
}
