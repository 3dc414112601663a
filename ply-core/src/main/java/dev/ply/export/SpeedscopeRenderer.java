package dev.ply.export;

import dev.ply.table.Datum;
import dev.ply.table.FlameGraph;
import dev.ply.table.Row;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.Target;
import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The file format of speedscope: a sampled profile for each map. The viewer has no negative
 * weights, so the name of a profile tells how many rows it lacks.
 */
public final class SpeedscopeRenderer extends ProfileRenderer {
  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   */
  public SpeedscopeRenderer(Target target) {
    super(target);
  }

  /**
   * What a frame is in the table that all profiles share: a function, as the viewer takes its lines
   * for different ones.
   */
  private record SharedFrame(String name, String file) {}

  @Override
  void write(TextBuffer out, List<StackMap> maps) {
    Map<SharedFrame, Integer> frames = new LinkedHashMap<>();
    out.append("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",");
    out.append("\"exporter\":\"ply\",\"activeProfileIndex\":0,\"profiles\":[");
    for (int i = 0; i < maps.size(); i++) {
      out.append(i > 0 ? ",\n" : "\n");
      append(out, maps.get(i), frames);
    }
    out.append("],\n\"shared\":{\"frames\":[");
    String separator = "\n";
    for (SharedFrame frame : frames.keySet()) {
      out.append(separator).append("{\"name\":");
      JsonString.append(out, frame.name());
      if (!frame.file().isEmpty()) {
        JsonString.append(out.append(",\"file\":"), frame.file());
      }
      out.append('}').spill();
      separator = ",\n";
    }
    out.append("]}}\n");
  }

  private static void append(TextBuffer out, StackMap map, Map<SharedFrame, Integer> frames) {
    long end = 0;
    int negative = 0;
    String separator = "";
    out.append("{\"type\":\"sampled\",\"unit\":\"").append(unit(map.weightUnit()));
    out.append("\",\"startValue\":0,\"samples\":[");
    for (Row<Datum> row : map.map().table()) {
      OptionalLong weight = map.weight(row);
      if (weight.isPresent() && weight.getAsLong() < 0) {
        negative++;
      } else if (weight.isPresent()) {
        end += weight.getAsLong();
        out.append(separator);
        append(out, map.functions(row), frames);
        separator = ",";
        out.spill();
      }
    }
    out.append("],\"weights\":[");
    separator = "";
    for (Row<Datum> row : map.map().table()) {
      OptionalLong weight = map.weight(row);
      if (weight.isPresent() && weight.getAsLong() >= 0) {
        out.append(separator).append(weight.getAsLong()).spill();
        separator = ",";
      }
    }
    out.append("],\"endValue\":").append(end).append(",\"name\":");
    String name = Escapes.escape(map.map().name());
    JsonString.append(
        out, negative == 0 ? name : name + " (" + negative + " rows below zero left out)");
    out.append('}');
  }

  private static void append(
      TextBuffer out, List<FlameGraph.Frame> path, Map<SharedFrame, Integer> frames) {
    out.append('[');
    for (int i = 0; i < path.size(); i++) {
      FlameGraph.Frame frame = path.get(i);
      SharedFrame shared =
          new SharedFrame(Escapes.escape(frame.name()), Escapes.escape(frame.module().orElse("")));
      int known = frames.size();
      int index = frames.computeIfAbsent(shared, unused -> known);
      out.append(i > 0 ? "," : "").append(index);
    }
    out.append(']');
  }

  private static String unit(Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> "nanoseconds";
      case BYTES -> "bytes";
      case PAGES, CALLS, NONE -> "none";
    };
  }
}
