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
  private final Map<Function, Integer> functions = new HashMap<>();
  private final Map<List<ProfileFrame>, Integer> locations = new HashMap<>();

  /**
   * A function.
   *
   * @param file its source file, else the one that has its code
   */
  private record Function(String name, String symbol, String file) {
    static Function of(ProfileFrame frame) {
      return new Function(
          frame.name(),
          frame.symbol(),
          frame.source().orElseGet(() -> PprofWriter.file(frame.function())));
    }
  }

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
  void sample(List<ProfileFrame> frames, long[] values, Consumer<ProtobufWriter> labels) {
    long[] ids = ProfileFrame.instructions(frames).stream().mapToLong(this::location).toArray();
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

  /** Returns the location of an instruction: one line for each function inlined there. */
  private int location(List<ProfileFrame> frames) {
    Integer known = locations.get(frames);
    if (known != null) {
      return known;
    }
    int id = locations.size() + 1;
    locations.put(frames, id);
    ProtobufWriter location = new ProtobufWriter().number(1, id);
    String file = file(frames.get(frames.size() - 1).function());
    if (!file.isEmpty()) {
      location.number(2, mapping(file));
    }
    for (ProfileFrame frame : frames) {
      ProtobufWriter line = new ProtobufWriter().number(1, function(Function.of(frame)));
      if (frame.line().isPresent()) {
        line.number(2, frame.number());
      }
      location.message(4, line);
    }
    profile.message(4, location);
    return id;
  }

  private int function(Function function) {
    Integer known = functions.get(function);
    if (known != null) {
      return known;
    }
    int id = functions.size() + 1;
    functions.put(function, id);
    ProtobufWriter message =
        new ProtobufWriter()
            .number(1, id)
            .number(2, string(function.name()))
            .number(3, string(function.symbol()));
    if (!function.file().isEmpty()) {
      message.number(4, string(function.file()));
    }
    profile.message(5, message);
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
