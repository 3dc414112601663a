package dev.ply.table;

import dev.ply.target.KernelSymbols;
import dev.ply.type.Escapes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stack traces folded by function: a count for each path of calls. Immutable.
 *
 * @param paths the counts by path, functions outermost first
 */
public record FlameGraph(Map<List<String>, Long> paths) {
  /** Copies the counts. */
  public FlameGraph {
    paths = Map.copyOf(paths);
  }

  /**
   * Folds a table whose keys have stack traces. Other parts of a key become the outermost frames,
   * in their order; of several stacks in a key the user stack is outermost. A lost stack is the
   * function {@code <lost>}.
   *
   * @param table of counts or other numbers
   * @return the counts of all rows by path
   */
  public static FlameGraph of(Table<? extends Number> table) {
    Map<List<String>, Long> paths = new HashMap<>();
    for (Row<? extends Number> row : table) {
      paths.merge(path(row.key(), table.symbols()), row.value().longValue(), Long::sum);
    }
    return new FlameGraph(paths);
  }

  /**
   * A frame of a path.
   *
   * @param name of the function as its programmers write it, or the text of another part of a key
   * @param kind of frame
   * @param module the name of the ELF file or kernel module, if any
   */
  public record Frame(String name, FrameKind kind, Optional<String> module) {}

  /**
   * A frame with its position.
   *
   * @param function the frame
   * @param offset in the function, {@code +18}; without a symbol the address, {@code 0x55d0}; empty
   *     for stacks of functions and other parts of a key
   */
  public record Site(Frame function, String offset) {}

  /**
   * A frame, and the one of a stack that it is.
   *
   * @param function the frame
   * @param exact with its address and line; empty for lost stacks and other parts of a key
   */
  public record StackFrame(Frame function, Optional<Stack.Frame> exact) {}

  private record Located(Site site, Optional<Stack.Frame> exact) {
    Located(Frame function) {
      this(new Site(function, ""), Optional.empty());
    }
  }

  /**
   * {@return the functions of a key, outermost first}
   *
   * @param key with stacks
   * @param symbols of the kernel
   */
  public static List<String> path(Key key, KernelSymbols symbols) {
    return frames(key, symbols).stream().map(Frame::name).toList();
  }

  /**
   * {@return the frames of a key, outermost first: other parts than stacks, the user stack, the
   * kernel stack}
   *
   * @param key with stacks
   * @param symbols of the kernel
   */
  public static List<Frame> frames(Key key, KernelSymbols symbols) {
    return sites(key, symbols).stream().map(Site::function).toList();
  }

  /**
   * {@return the frames of a key with their positions, in the order of {@link #frames(Key,
   * KernelSymbols)}}
   *
   * @param key with stacks
   * @param symbols of the kernel
   */
  public static List<Site> sites(Key key, KernelSymbols symbols) {
    return located(key, symbols).stream().map(Located::site).toList();
  }

  /**
   * {@return the frames of a key with those of its stacks, in the order of {@link #frames(Key,
   * KernelSymbols)}}
   *
   * @param key with stacks
   * @param symbols of the kernel
   */
  public static List<StackFrame> stackFrames(Key key, KernelSymbols symbols) {
    return located(key, symbols).stream()
        .map(frame -> new StackFrame(frame.site().function(), frame.exact()))
        .toList();
  }

  private static List<Located> located(Key key, KernelSymbols symbols) {
    List<Located> path = new ArrayList<>();
    List<Located> user = new ArrayList<>();
    List<Located> kernel = new ArrayList<>();
    for (Datum part : stacksApart(key.parts())) {
      if (part instanceof Datum.UserStack) {
        user.addAll(located(part, symbols));
      } else if (part instanceof Datum.Stack) {
        kernel.addAll(located(part, symbols));
      } else if (part instanceof Datum.MissingStack missing) {
        (missing.side() == Datum.MissingStack.Side.USER ? user : kernel)
            .addAll(located(part, symbols));
      } else {
        String name = part instanceof Datum.Text text ? text.text() : part.toText();
        path.add(new Located(new Frame(name, FrameKind.KEY, Optional.empty())));
      }
    }
    path.addAll(user);
    path.addAll(kernel);
    return List.copyOf(path);
  }

  private static List<Datum> stacksApart(List<Datum> parts) {
    return parts.stream()
        .flatMap(
            part ->
                part instanceof Datum.BothStacks both ? both.present().stream() : Stream.of(part))
        .toList();
  }

  /**
   * {@return the functions of a stack, outermost first}
   *
   * @param part a stack
   * @param symbols of the kernel
   */
  public static List<String> functions(Datum part, KernelSymbols symbols) {
    return located(part, symbols).stream().map(frame -> frame.site().function().name()).toList();
  }

  private static List<Located> located(Datum part, KernelSymbols symbols) {
    if (part instanceof Datum.BothStacks) {
      return located(Key.of(part), symbols);
    }
    Stack stack = Stack.of(part, symbols);
    if (stack.isLost()) {
      return List.of(new Located(new Frame("<lost>", FrameKind.LOST, Optional.empty())));
    }
    boolean isOfFunctions = isOfFunctions(part);
    List<Located> located = new ArrayList<>();
    for (int i = stack.frames().size() - 1; i >= 0; i--) {
      Stack.Frame frame = stack.frames().get(i);
      String offset = isOfFunctions && frame.symbol().isPresent() ? "" : frame.position();
      Frame function = new Frame(frame.function(), frame.kind(), frame.module());
      located.add(new Located(new Site(function, offset), Optional.of(frame)));
    }
    return located;
  }

  private static boolean isOfFunctions(Datum part) {
    return part instanceof Datum.Stack kernel
        ? kernel.mode() == StackMode.FUNCTIONS
        : part instanceof Datum.UserStack user && user.mode() == StackMode.FUNCTIONS;
  }

  /** {@return the sum of all counts} */
  public long total() {
    return paths.values().stream().mapToLong(Long::longValue).sum();
  }

  /** {@return the counts by innermost function, the largest first} */
  public Map<String, Long> self() {
    Map<String, Long> counts = new TreeMap<>();
    paths.forEach(
        (path, count) ->
            counts.merge(path.isEmpty() ? "" : path.get(path.size() - 1), count, Long::sum));
    Map<String, Long> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return Collections.unmodifiableMap(sorted);
  }

  /**
   * Returns a line for each path, as flame graph programs read them: functions separated by
   * semicolons, and the count. Semicolons and spaces in names are replaced by underscores, control
   * characters escaped.
   */
  @Override
  public String toString() {
    return paths.entrySet().stream()
        .map(entry -> folded(entry.getKey()) + " " + entry.getValue() + "\n")
        .sorted()
        .collect(Collectors.joining());
  }

  /**
   * {@return a path as flame graph programs read it}
   *
   * @param path functions, outermost first
   */
  public static String folded(List<String> path) {
    return path.stream()
        .map(name -> Escapes.escape(name).replace(';', '_').replace(' ', '_'))
        .collect(Collectors.joining(";"));
  }
}
