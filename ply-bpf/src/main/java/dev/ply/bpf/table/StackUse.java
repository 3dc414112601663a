package dev.ply.bpf.table;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.decode.PackedRows;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.MapLayout;
import dev.ply.type.StructField;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The stack traces that maps have, so that all others can be forgotten. */
public final class StackUse {
  /** Names are kept for a small part of the time: at most 1/20, and 1/320 if none are new. */
  private static final long SHORTEST_PAUSE = 20;

  private static final long LONGEST_PAUSE = 320;

  private final Machine machine;
  private final TableReader tables;
  private final StackReader stacks;
  private final List<MapLayout> layouts;
  private long next = System.nanoTime();
  private long pause = SHORTEST_PAUSE;

  /** Tracks the stack traces that maps refer to. */
  public StackUse(
      Machine machine, TableReader tables, StackReader stacks, List<MapLayout> layouts) {
    this.machine = machine;
    this.tables = tables;
    this.stacks = stacks;
    this.layouts = List.copyOf(layouts);
  }

  /** Forgets what no map has, if much is known. Not while a map is read. */
  public void forgetOthers() {
    if (!stacks.hasMany()) {
      return;
    }
    Used used = used();
    stacks.forgetAllBut(used.kernel(), used.user());
  }

  /**
   * Reads the user stacks whose symbols end with their process, if the last time is long enough ago
   * for what it took. For one thread.
   */
  public void keepNames() {
    long begin = System.nanoTime();
    if (begin - next >= 0 && stacks.hasRuntimes()) {
      boolean hasNew = stacks.keepNames(stored());
      pause = hasNew ? SHORTEST_PAUSE : Math.min(LONGEST_PAUSE, 2 * pause);
      long end = System.nanoTime();
      next = end + pause * (end - begin);
    }
  }

  /** The ids of the kernel's stacks that maps have, and the numbers of user stacks. */
  private record Used(Set<Long> kernel, Set<Long> user) {}

  private Used used() {
    Set<Long> kernel = new HashSet<>();
    Set<Long> user = new HashSet<>();
    for (MapLayout layout : layouts) {
      List<StructField> inKeys = PackedRows.stacks(layout.symbol().keyType(), 0);
      if (layout.symbol().content() instanceof MapContent.Plain) {
        entries(layout, kernel, user);
      } else if (!inKeys.isEmpty()) {
        tables.collected(layout).forEach((key, words) -> add(inKeys, key, kernel, user));
      }
    }
    return new Used(kernel, user);
  }

  /** Returns the numbers of the user stacks that are in maps, cleared ones, too: takes less. */
  private Set<Long> stored() {
    Set<Long> user = new HashSet<>();
    layouts.forEach(layout -> entries(layout, new HashSet<>(), user));
    return user;
  }

  private void entries(MapLayout layout, Set<Long> kernel, Set<Long> user) {
    List<StructField> inKeys = PackedRows.stacks(layout.symbol().keyType(), 0);
    List<StructField> inValues =
        layout.symbol().content() instanceof MapContent.Plain plain
            ? PackedRows.stacks(plain.type(), 0)
            : List.of();
    if (!inKeys.isEmpty() || !inValues.isEmpty()) {
      new TableEntries(machine, layout)
          .read(
              (key, values) -> {
                add(inKeys, key, kernel, user);
                add(inValues, values.get(0), kernel, user);
              });
    }
  }

  private static void add(
      List<StructField> fields, ByteBuffer bytes, Set<Long> kernel, Set<Long> user) {
    for (StructField field : fields) {
      IntType type = (IntType) field.type();
      long number = type.read(bytes, field.offset());
      if (type.format().isUserStack()) {
        user.add(number);
      } else {
        kernel.add((long) (int) number);
      }
    }
  }
}
