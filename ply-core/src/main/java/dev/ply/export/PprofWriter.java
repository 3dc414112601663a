package dev.ply.export;

import dev.ply.table.FlameGraph;
import dev.ply.table.FrameKind;
import dev.ply.text.TextBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The fields of pprof's Profile, each written as soon as it is known. */
final class PprofWriter {
  private static final String KERNEL = "[kernel.kallsyms]";

  private final ProtobufWriter profile;
  private final Map<String, Integer> strings = new HashMap<>();
  private final Map<String, Integer> mappings = new HashMap<>();
  private final Map<FlameGraph.Frame, Integer> locations = new HashMap<>();

  PprofWriter(TextBuffer raw) {
    this.profile = new ProtobufWriter(raw);
    int unused = string("");
  }

  /** Writes the type of the next value of all samples. */
  void value(StackProfile.ValueType type) {
    profile.message(1, type(type));
  }

  private ProtobufWriter type(StackProfile.ValueType type) {
    return new ProtobufWriter().number(1, string(type.type())).number(2, string(type.unit()));
  }

  void period(Duration period) {
    period(new StackProfile.ValueType("cpu", "nanoseconds"), period.toNanos());
  }

  /** Writes what a sample is taken of, and after how much of it. */
  void period(StackProfile.ValueType type, long period) {
    profile.message(11, type(type));
    profile.number(12, period);
  }

  void time(Instant begin, Duration length) {
    profile.number(9, nanos(begin));
    if (!length.isZero()) {
      profile.number(10, length.toNanos());
    }
  }

  /**
   * Writes a sample.
   *
   * @param frames outermost first, no other parts of the key
   * @param labels writes them
   */
  void sample(List<FlameGraph.Frame> frames, long[] values, Consumer<ProtobufWriter> labels) {
    long[] ids = new long[frames.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = location(frames.get(ids.length - 1 - i));
    }
    ProtobufWriter sample = new ProtobufWriter().packed(1, ids).packed(2, values);
    labels.accept(sample);
    profile.message(2, sample);
  }

  void labels(ProtobufWriter sample, Map<String, String> labels) {
    labels.forEach((name, value) -> label(sample, name, value));
  }

  void label(ProtobufWriter sample, String name, String value) {
    sample.message(3, new ProtobufWriter().number(1, string(name)).number(2, string(value)));
  }

  void label(ProtobufWriter sample, String name, long value, String unit) {
    sample.message(
        3, new ProtobufWriter().number(1, string(name)).number(3, value).number(4, string(unit)));
  }

  /** Returns the location of a function, which is written with its function and mapping. */
  private int location(FlameGraph.Frame frame) {
    Integer known = locations.get(frame);
    if (known != null) {
      return known;
    }
    int id = locations.size() + 1;
    locations.put(frame, id);
    String file = file(frame);
    int name = string(frame.name());
    ProtobufWriter function = new ProtobufWriter().number(1, id).number(2, name).number(3, name);
    ProtobufWriter location = new ProtobufWriter().number(1, id);
    if (!file.isEmpty()) {
      function.number(4, string(file));
      location.number(2, mapping(file));
    }
    profile.message(5, function);
    profile.message(4, location.message(4, new ProtobufWriter().number(1, id)));
    return id;
  }

  /** Returns a time as nanoseconds since 1970, up to 2262. */
  static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  /** Returns the file that a function is of; empty if it is not known. */
  static String file(FlameGraph.Frame frame) {
    return frame.module().orElse(frame.kind() == FrameKind.KERNEL ? KERNEL : "");
  }

  private int mapping(String file) {
    Integer known = mappings.get(file);
    if (known != null) {
      return known;
    }
    int id = mappings.size() + 1;
    mappings.put(file, id);
    profile.message(3, new ProtobufWriter().number(1, id).number(5, string(file)).number(7, 1));
    return id;
  }

  private int string(String text) {
    Integer known = strings.get(text);
    if (known != null) {
      return known;
    }
    int index = strings.size();
    strings.put(text, index);
    profile.text(6, text);
    return index;
  }
}
