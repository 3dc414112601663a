package dev.ply.table;

import dev.ply.target.KernelSymbols;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A node of a tree of calls with inclusive counts: what a flame graph draws, the callers above
 * their callees. Immutable.
 *
 * @param name of the function as its programmers write it; unescaped, it can contain anything
 * @param kind of frame
 * @param module the name of the ELF file or kernel module; empty for the kernel itself, compiled
 *     code and frames that are no functions
 * @param self what was counted in this frame itself
 * @param total what was counted in this frame and in all below it
 * @param callees the frames called from this one, the largest total first, then by name
 */
public record CallTree(
    String name,
    FrameKind kind,
    Optional<String> module,
    long self,
    long total,
    List<CallTree> callees) {
  private static final Comparator<CallTree> LARGEST_FIRST =
      Comparator.comparingLong(CallTree::total)
          .reversed()
          .thenComparing(CallTree::name)
          .thenComparing(CallTree::kind)
          .thenComparing(tree -> tree.module().orElse(""));

  /** Copies the callees. */
  public CallTree {
    callees = List.copyOf(callees);
  }

  /**
   * What was counted in a function, wherever it was called.
   *
   * @param name of the function
   * @param kind of frame
   * @param module the name of the ELF file or kernel module, if any
   * @param self what was counted in the function itself
   * @param total what was counted in the function and what it calls; a recursive call counts once
   */
  public record Total(
      String name, FrameKind kind, Optional<String> module, long self, long total) {}

  /**
   * {@return the tree of a table whose keys have stacks, its root is a frame {@code all}} Other
   * parts of a key are the outermost frames; of several stacks the user stack is outermost.
   *
   * @param table of counts or other numbers
   */
  public static CallTree of(Table<? extends Number> table) {
    Builder root = new Builder();
    for (Row<? extends Number> row : table) {
      root.add(FlameGraph.frames(row.key(), table.symbols()), row.value().longValue());
    }
    return root.build();
  }

  /**
   * {@return the tree of a map whose key has stacks, as {@link #of(Table)} returns it} Rows count
   * by their {@linkplain Datum#weight weight}; those without one are left out.
   *
   * @param map of a trace
   */
  public static CallTree of(NamedTable map) {
    Builder root = new Builder();
    KernelSymbols symbols = map.table().symbols();
    for (Row<Datum> row : map.table()) {
      OptionalLong weight = row.value().weight();
      if (weight.isPresent()) {
        root.add(FlameGraph.frames(row.key(), symbols), weight.getAsLong());
      }
    }
    return root.build();
  }

  /** {@return this tree upside down: the innermost functions first, below them their callers} */
  public CallTree inverted() {
    Builder root = new Builder();
    addInverted(root, new ArrayList<>());
    return root.build();
  }

  private void addInverted(Builder root, List<FlameGraph.Frame> path) {
    boolean isRoot = kind == FrameKind.ALL;
    if (!isRoot) {
      path.add(0, new FlameGraph.Frame(name, kind, module));
    }
    if (self != 0) {
      root.add(path, self);
    }
    callees.forEach(callee -> callee.addInverted(root, path));
    if (!isRoot) {
      path.remove(0);
    }
  }

  /** {@return what was counted by function, the largest total first, without the root} */
  public List<Total> totals() {
    Map<FlameGraph.Frame, long[]> counts = new LinkedHashMap<>();
    addTotals(counts, new HashSet<>());
    List<Total> totals = new ArrayList<>();
    counts.forEach(
        (frame, sums) ->
            totals.add(new Total(frame.name(), frame.kind(), frame.module(), sums[0], sums[1])));
    totals.sort(Comparator.comparingLong(Total::total).reversed().thenComparing(Total::name));
    return List.copyOf(totals);
  }

  private void addTotals(Map<FlameGraph.Frame, long[]> counts, Set<FlameGraph.Frame> callers) {
    FlameGraph.Frame frame = new FlameGraph.Frame(name, kind, module);
    boolean isOutermost = callers.add(frame);
    if (kind != FrameKind.ALL) {
      long[] sums = counts.computeIfAbsent(frame, unused -> new long[2]);
      sums[0] += self;
      sums[1] += isOutermost ? total : 0;
    }
    callees.forEach(callee -> callee.addTotals(counts, callers));
    if (isOutermost) {
      callers.remove(frame);
    }
  }

  /** A node while rows are added. */
  private static final class Builder {
    private final Map<FlameGraph.Frame, Builder> callees = new HashMap<>();
    private long self;

    void add(List<FlameGraph.Frame> path, long weight) {
      Builder node = this;
      for (FlameGraph.Frame frame : path) {
        node = node.callees.computeIfAbsent(frame, unused -> new Builder());
      }
      node.self += weight;
    }

    CallTree build() {
      return build(new FlameGraph.Frame("all", FrameKind.ALL, Optional.empty()));
    }

    private CallTree build(FlameGraph.Frame frame) {
      List<CallTree> built = new ArrayList<>();
      long total = self;
      for (Map.Entry<FlameGraph.Frame, Builder> callee : callees.entrySet()) {
        CallTree tree = callee.getValue().build(callee.getKey());
        total += tree.total();
        built.add(tree);
      }
      built.sort(LARGEST_FIRST);
      return new CallTree(frame.name(), frame.kind(), frame.module(), self, total, built);
    }
  }
}
