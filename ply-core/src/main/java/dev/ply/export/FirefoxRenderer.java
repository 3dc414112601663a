package dev.ply.export;

import dev.ply.table.Datum;
import dev.ply.table.FlameGraph;
import dev.ply.table.FrameKind;
import dev.ply.table.Row;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.Target;
import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * The processed profile format of the Firefox Profiler, version 60: a thread for each map, a sample
 * for each row, with its number as weight. Rows have no time of their own: the axis of time is
 * their order.
 */
public final class FirefoxRenderer extends ProfileRenderer {
  private static final int VERSION = 60;

  /** The version of Gecko's own format, which readers want to know. */
  private static final int GECKO_VERSION = 31;

  /** The default category is grey. */
  private static final String CATEGORIES =
      "[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
          + "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
          + "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
          + "{\"name\":\"JIT\",\"color\":\"blue\",\"subcategories\":[\"Other\"]}]";

  private final InstantSource clock;

  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   */
  public FirefoxRenderer(Target target) {
    this(target, InstantSource.system());
  }

  FirefoxRenderer(Target target, InstantSource clock) {
    super(target);
    this.clock = clock;
  }

  @Override
  void write(TextBuffer out, List<StackMap> maps) {
    out.append("{\"meta\":{\"interval\":").append(interval(maps));
    out.append(",\"startTime\":").append(clock.millis());
    out.append(",\"processType\":0,\"product\":\"ply\",\"importedFrom\":\"ply\",\"stackwalk\":1");
    out.append(",\"debug\":false,\"version\":").append(GECKO_VERSION);
    out.append(",\"preprocessedProfileVersion\":").append(VERSION);
    out.append(",\"symbolicated\":true,\"usesOnlyOneStackType\":true");
    out.append(",\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true");
    out.append(",\"markerSchema\":[],\"categories\":").append(CATEGORIES);
    out.append("},\n\"threads\":[");
    Shared shared = new Shared();
    for (int i = 0; i < maps.size(); i++) {
      out.append(i > 0 ? ",\n" : "\n");
      appendThread(out, maps.get(i), i, shared);
    }
    out.append("],\n");
    shared.append(out);
    out.append("}\n");
  }

  private static String interval(List<StackMap> maps) {
    return maps.stream()
        .flatMap(map -> map.period().stream())
        .findFirst()
        .map(period -> milliseconds(period.toNanos()))
        .orElse("1");
  }

  private static String milliseconds(long nanos) {
    return BigDecimal.valueOf(nanos, 6).toPlainString();
  }

  private static void appendThread(TextBuffer out, StackMap map, int number, Shared shared) {
    boolean isTime = map.weightUnit() == Unit.NANOSECONDS;
    out.append("{\"processType\":\"default\",\"processStartupTime\":0");
    out.append(",\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null");
    out.append(",\"pausedRanges\":[],\"isMainThread\":true,\"name\":");
    JsonString.append(out, Escapes.escape(map.map().name()));
    out.append(",\"processName\":");
    JsonString.append(out, Escapes.escape(map.map().name()));
    out.append(",\"pid\":\"").append(number).append("\",\"tid\":").append(number);
    out.append(",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[]");
    out.append(",\"phase\":[],\"category\":[],\"length\":0},\"samples\":{\"weightType\":\"");
    out.append(isTime ? "tracing-ms" : map.weightUnit() == Unit.BYTES ? "bytes" : "samples");
    int length = 0;
    out.append("\",\"stack\":[");
    for (Row<Datum> row : map.map().table()) {
      if (map.weight(row).isPresent()) {
        int stack = shared.stack(map.frames(row));
        out.append(length > 0 ? "," : "").append(stack < 0 ? "null" : String.valueOf(stack));
        length++;
        out.spill();
      }
    }
    out.append("],\"weight\":[");
    String separator = "";
    for (Row<Datum> row : map.map().table()) {
      OptionalLong weight = map.weight(row);
      if (weight.isPresent()) {
        out.append(separator);
        out.append(isTime ? milliseconds(weight.getAsLong()) : String.valueOf(weight.getAsLong()));
        separator = ",";
        out.spill();
      }
    }
    out.append("],\"time\":[");
    for (int i = 0; i < length; i++) {
      out.append(i > 0 ? "," : "").append(i).spill();
    }
    out.append("],\"length\":").append(length).append("}}");
  }

  /** The tables that all threads share. */
  private static final class Shared {
    private record Node(int prefix, int frame) {}

    /**
     * A row of the table of frames.
     *
     * @param line 0 if it is not known
     * @param depth how many frames of the same instruction are around it
     */
    private record Position(FlameGraph.Frame function, int line, int depth) {}

    private final Map<String, Integer> strings = new LinkedHashMap<>();
    private final Map<String, Integer> libraries = new LinkedHashMap<>();
    private final Map<String, Integer> sources = new LinkedHashMap<>();
    private final Map<FlameGraph.Frame, Integer> functions = new LinkedHashMap<>();
    private final Map<FlameGraph.Frame, Integer> sourceOf = new HashMap<>();
    private final Map<Position, Integer> frames = new LinkedHashMap<>();
    private final Map<Node, Integer> stacks = new LinkedHashMap<>();

    /** Returns the index of a stack; -1 if it has no frames. */
    int stack(List<ProfileFrame> path) {
      int prefix = -1;
      int depth = 0;
      for (ProfileFrame frame : path) {
        depth = frame.kind() == FrameKind.INLINED ? depth + 1 : 0;
        int unused = index(functions, frame.function());
        frame
            .source()
            .ifPresent(file -> sourceOf.putIfAbsent(frame.function(), index(sources, file)));
        Position position = new Position(frame.function(), frame.number(), depth);
        prefix = index(stacks, new Node(prefix, index(frames, position)));
      }
      return prefix;
    }

    private static <K> int index(Map<K, Integer> table, K key) {
      int next = table.size();
      return table.computeIfAbsent(key, unused -> next);
    }

    void append(TextBuffer out) {
      List<Position> positions = new ArrayList<>(frames.keySet());
      List<Node> nodes = new ArrayList<>(stacks.keySet());
      out.append("\"shared\":{\"stackTable\":{");
      column(out, "frame", nodes.size(), i -> String.valueOf(nodes.get(i).frame()));
      column(
          out.append(','),
          "prefix",
          nodes.size(),
          i -> nodes.get(i).prefix() < 0 ? "null" : String.valueOf(nodes.get(i).prefix()));
      end(out, nodes.size());
      out.append(",\n\"frameTable\":{");
      int count = positions.size();
      column(out, "address", count, i -> "-1");
      column(out.append(','), "inlineDepth", count, i -> String.valueOf(positions.get(i).depth()));
      column(out.append(','), "category", count, i -> category(positions.get(i).function().kind()));
      column(out.append(','), "subcategory", count, i -> "0");
      column(
          out.append(','),
          "func",
          count,
          i -> String.valueOf(index(functions, positions.get(i).function())));
      column(
          out.append(','),
          "line",
          count,
          i -> positions.get(i).line() == 0 ? "null" : String.valueOf(positions.get(i).line()));
      for (String empty : List.of("nativeSymbol", "innerWindowID", "column")) {
        column(out.append(','), empty, count, i -> "null");
      }
      end(out, count);
      appendFunctions(out);
      List<String> files = new ArrayList<>(libraries.keySet());
      out.append(",\n\"resourceTable\":{");
      column(out, "lib", files.size(), String::valueOf);
      column(out.append(','), "name", files.size(), i -> string(files.get(i)));
      column(out.append(','), "host", files.size(), i -> "null");
      column(out.append(','), "type", files.size(), i -> "1");
      end(out, files.size());
      out.append(",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[]");
      out.append(",\"functionSize\":[],\"length\":0}");
      List<String> paths = new ArrayList<>(sources.keySet());
      out.append(",\"sources\":{");
      column(out, "uuid", paths.size(), i -> "null");
      column(out.append(','), "filename", paths.size(), i -> string(paths.get(i)));
      end(out, paths.size());
      out.append(",\n\"stringArray\":[");
      String separator = "";
      for (String one : strings.keySet()) {
        JsonString.append(out.append(separator), one);
        separator = ",";
        out.spill();
      }
      out.append("]},\n\"libs\":[");
      separator = "";
      for (String file : files) {
        out.append(separator).append("{\"arch\":\"\"");
        for (String name : List.of("name", "path", "debugName", "debugPath")) {
          JsonString.append(out.append(",\"").append(name).append("\":"), Escapes.escape(file));
        }
        out.append(",\"breakpadId\":\"\",\"codeId\":null}");
        separator = ",";
      }
      out.append(']');
    }

    private void appendFunctions(TextBuffer out) {
      List<FlameGraph.Frame> all = new ArrayList<>(functions.keySet());
      int count = all.size();
      out.append(",\n\"funcTable\":{");
      column(out, "name", count, i -> string(all.get(i).name()));
      column(out.append(','), "isJS", count, i -> "false");
      column(out.append(','), "relevantForJS", count, i -> "false");
      column(
          out.append(','),
          "resource",
          count,
          i -> all.get(i).module().map(module -> index(libraries, module)).orElse(-1).toString());
      column(
          out.append(','),
          "source",
          count,
          i -> Optional.ofNullable(sourceOf.get(all.get(i))).map(String::valueOf).orElse("null"));
      for (String empty : List.of("lineNumber", "columnNumber")) {
        column(out.append(','), empty, count, i -> "null");
      }
      end(out, count);
    }

    private String string(String text) {
      return String.valueOf(index(strings, Escapes.escape(text)));
    }

    private static String category(FrameKind kind) {
      return switch (kind) {
        case KERNEL -> "1";
        case NATIVE -> "2";
        case COMPILED, INTERPRETED, C1, C2, INLINED, JAVA, STUB -> "3";
        case ALL, KEY, LOST -> "0";
      };
    }

    private static void column(TextBuffer out, String name, int count, IntFunction<String> value) {
      out.append('"').append(name).append("\":[");
      for (int i = 0; i < count; i++) {
        out.append(i > 0 ? "," : "").append(value.apply(i)).spill();
      }
      out.append(']');
    }

    private static void end(TextBuffer out, int count) {
      out.append(",\"length\":").append(count).append('}');
    }
  }
}
