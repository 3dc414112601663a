package dev.ply.export;

import dev.ply.export.JfrType.Content;
import dev.ply.export.JfrType.Kind;
import dev.ply.result.Result;
import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.FlameGraph;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.StackMode;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.Target;
import dev.ply.type.IntFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Results as events of JDK Flight Recorder: a type for each call, and for each map. */
final class JfrResults {
  private final Target target;
  private final BootClock clock;
  private final Map<List<Object>, JfrType> types = new LinkedHashMap<>();
  private final Map<String, Integer> names = new HashMap<>();

  JfrResults(Target target, BootClock clock) {
    this.target = target;
    this.clock = clock;
  }

  /**
   * An event.
   *
   * @param type has a duration if this has one
   * @param time when it happened or ended, in nanoseconds since boot
   * @param duration in nanoseconds
   * @param values of the fields of the type: long, double, string or the frames of a stack, the
   *     outermost first; times are since boot
   */
  record Event(JfrType type, long time, OptionalLong duration, List<Object> values) {
    /** Returns the frames of all stacks, the outermost first: those of the kernel are inside. */
    List<ProfileFrame> stack() {
      List<ProfileFrame> user = new ArrayList<>();
      List<ProfileFrame> kernel = new ArrayList<>();
      for (Object value : values) {
        if (value instanceof Stack stack) {
          (stack.isOfKernel() ? kernel : user).addAll(stack.withLines());
        }
      }
      user.addAll(kernel);
      return user;
    }
  }

  /**
   * The value of a stack.
   *
   * @param frames the outermost first
   * @param isFromFiles whether lines may be read in files
   */
  record Stack(boolean isOfKernel, List<FlameGraph.StackFrame> frames, boolean isFromFiles) {
    /** Returns the functions as a line. */
    String folded() {
      return FlameGraph.folded(frames.stream().map(frame -> frame.function().name()).toList());
    }

    List<ProfileFrame> withLines() {
      return frames.stream().map(frame -> ProfileFrame.of(frame, isFromFiles)).toList();
    }
  }

  /** A value of an event: of a long, a double, a string, or a stack. */
  private record Value(String label, Kind kind, Content content, Object value) {
    static Value of(String label, long number, Content content) {
      return new Value(label, Kind.LONG, content, number);
    }

    static Value of(String label, String text) {
      return new Value(label, Kind.STRING, Content.NONE, text);
    }
  }

  /** Returns all types so far. */
  List<JfrType> types() {
    return List.copyOf(types.values());
  }

  /** Returns whether a result has events. */
  static boolean shows(Result result) {
    return result instanceof Result.Event
        || result instanceof Result.Line
        || result instanceof Result.Lost
        || result instanceof Result.Snapshot;
  }

  /** Passes the events of a result to a receiver. */
  void accept(Result result, Consumer<Event> out) {
    if (result instanceof Result.Event event) {
      event(out, new EventFields(event.shape()), event.values(), Optional.empty());
    } else if (result instanceof Result.Line line) {
      add(
          out,
          "ply." + line.message().type(),
          line.message().type(),
          clock.now(),
          OptionalLong.empty(),
          List.of(Value.of("text", line.text().stripTrailing())));
    } else if (result instanceof Result.Lost lost) {
      add(
          out,
          "ply.Lost",
          "Lost",
          clock.now(),
          OptionalLong.empty(),
          List.of(
              Value.of("count", lost.count(), Content.NONE),
              Value.of("reason", lost.loss().sentence(lost.count()))));
    } else if (result instanceof Result.Snapshot snapshot) {
      long now = clock.now();
      boolean isLast = snapshot.occasion() == Result.Occasion.FINAL;
      snapshot.maps().forEach(map -> rows(out, map, now, isLast));
    }
  }

  /** Passes the event of a call to a receiver. */
  void event(Consumer<Event> out, EventFields fields, List<Datum> values, Optional<String> line) {
    List<Value> all = new ArrayList<>();
    for (EventFields.Field field : fields.fields()) {
      all.add(value(field, values));
    }
    line.ifPresent(text -> all.add(Value.of("text", text)));
    long time = fields.time(values, clock).orElseGet(clock::now);
    add(
        out,
        "ply." + fields.name().replace('/', '.'),
        fields.name(),
        time,
        fields.duration(values),
        all);
  }

  private Value value(EventFields.Field field, List<Datum> values) {
    Datum datum = values.get(field.index());
    if (field.items() == 1 && datum instanceof Datum.Int number) {
      IntFormat format = number.type().format();
      boolean isName =
          number.type().isStack()
              || format == IntFormat.PROBE
              || format == IntFormat.SYMBOL
              || format == IntFormat.CGROUP;
      if (format.isPointInTime()) {
        return Value.of(field.name(), clock.ofMonotonic(number.value()), Content.TIME);
      } else if (!isName) {
        return Value.of(
            field.name(),
            number.value(),
            EventFields.isDuration(field) ? Content.NANOSECONDS : Content.NONE);
      }
    } else if (datum instanceof Datum.Real real) {
      return new Value(field.name(), Kind.DOUBLE, Content.NONE, real.value());
    } else if (field.items() == 1 && datum.isStack()) {
      // Events wait while a file is read, so that is left to who wants lines.
      return stack(field.name(), datum, hasLines(datum));
    }
    StringBuilder text = new StringBuilder();
    for (Datum part : values.subList(field.index(), field.index() + field.items())) {
      text.append(text.isEmpty() ? "" : " ").append(text(part));
    }
    return Value.of(field.name(), text.toString());
  }

  private String text(Datum datum) {
    if (datum instanceof Datum.Text text) {
      return text.text();
    } else if (datum.isStack()) {
      return FlameGraph.folded(FlameGraph.functions(datum, target.symbols()));
    }
    return new DatumFormat(target).raw().format(datum).strip();
  }

  private static boolean hasLines(Datum datum) {
    return datum instanceof Datum.BothStacks both
        ? hasLines(both.user())
        : datum instanceof Datum.UserStack stack && stack.mode() == StackMode.LINES;
  }

  private Value stack(String label, Datum datum, boolean isFromFiles) {
    boolean isOfUser =
        datum instanceof Datum.UserStack
            || datum instanceof Datum.BothStacks
            || (datum instanceof Datum.MissingStack missing
                && missing.side() == Datum.MissingStack.Side.USER);
    List<FlameGraph.StackFrame> frames = FlameGraph.stackFrames(Key.of(datum), target.symbols());
    return new Value(label, Kind.STACK, Content.NONE, new Stack(!isOfUser, frames, isFromFiles));
  }

  private void rows(Consumer<Event> out, NamedTable map, long now, boolean isLast) {
    TableSchema schema = map.schema();
    for (Row<Datum> row : map.table()) {
      List<Value> key = new ArrayList<>();
      for (int i = 0; i < schema.keys().size(); i++) {
        TableSchema.Column column = schema.keys().get(i);
        key.add(ofMap(column.name(), row.key().parts().get(i), column.unit(), isLast));
      }
      Datum value = row.value();
      if (value instanceof Datum.Distribution distribution) {
        distribution.histogram().buckets().forEach(bucket -> range(out, map, now, key, bucket));
      } else if (value instanceof Datum.Buckets buckets) {
        buckets.histogram().buckets().forEach(bucket -> range(out, map, now, key, bucket));
      } else if (value instanceof Datum.Stats stats) {
        Content content = content(schema.unit());
        add(
            out,
            map,
            now,
            key,
            Value.of("count", stats.statistics().count(), Content.NONE),
            Value.of("average", stats.statistics().average(), content),
            Value.of("total", stats.statistics().total(), content));
      } else {
        add(out, map, now, key, ofMap("value", value, schema.unit(), isLast));
      }
    }
  }

  private void range(
      Consumer<Event> out, NamedTable map, long now, List<Value> key, Bucket bucket) {
    if (bucket.count() != 0) {
      Content content = content(map.schema().unit());
      add(
          out,
          map,
          now,
          key,
          // Open ends are the ends of all numbers.
          Value.of("from", bucket.low().orElse(Long.MIN_VALUE), content),
          Value.of("below", bucket.high().orElse(Long.MAX_VALUE), content),
          Value.of("count", bucket.count(), Content.NONE));
    }
  }

  private Value ofMap(String label, Datum datum, Unit unit, boolean isLast) {
    if (datum instanceof Datum.Int number && number.type().format().isPointInTime()) {
      return Value.of(label, clock.ofMonotonic(number.value()), Content.TIME);
    } else if (datum instanceof Datum.Int number
        && !number.type().isStack()
        && number.type().format() != IntFormat.PROBE
        && number.type().format() != IntFormat.SYMBOL
        && number.type().format() != IntFormat.CGROUP) {
      return Value.of(label, number.value(), content(unit));
    } else if (datum instanceof Datum.Real real) {
      return new Value(label, Kind.DOUBLE, Content.NONE, real.value());
    } else if (datum.isStack()) {
      return stack(label, datum, isLast || hasLines(datum));
    }
    return Value.of(label, text(datum));
  }

  private static Content content(Unit unit) {
    return switch (unit) {
      case NANOSECONDS -> Content.NANOSECONDS;
      case BYTES -> Content.BYTES;
      case PAGES, CALLS, NONE -> Content.NONE;
    };
  }

  private void add(
      Consumer<Event> out, NamedTable map, long now, List<Value> key, Value... values) {
    List<Value> all = new ArrayList<>(key);
    all.addAll(List.of(values));
    String name = JfrType.identifier(map.name());
    add(
        out,
        "ply.map." + (name.equals("_") ? "values" : name),
        map.name(),
        now,
        OptionalLong.empty(),
        all);
  }

  private void add(
      Consumer<Event> out,
      String name,
      String label,
      long time,
      OptionalLong duration,
      List<Value> values) {
    JfrType type = type(name, label, duration.isPresent(), values);
    out.accept(new Event(type, time, duration, values.stream().map(Value::value).toList()));
  }

  private JfrType type(String name, String label, boolean hasDuration, List<Value> values) {
    List<Object> shape = new ArrayList<>(List.of(name, hasDuration));
    values.forEach(value -> shape.add(List.of(value.label(), value.kind(), value.content())));
    JfrType known = types.get(shape);
    if (known != null) {
      return known;
    }
    List<String> identifiers = JfrType.names(values.stream().map(Value::label).toList());
    List<JfrType.Field> fields = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Value value = values.get(i);
      fields.add(
          new JfrType.Field(identifiers.get(i), value.label(), value.kind(), value.content()));
    }
    String plain =
        String.join(".", Arrays.stream(name.split("\\.")).map(JfrType::identifier).toList());
    int number = names.merge(plain, 1, Integer::sum);
    JfrType type =
        new JfrType(
            JfrElement.Ids.NEXT + types.size(),
            number == 1 ? plain : plain + "_" + number,
            label,
            hasDuration,
            fields);
    types.put(shape, type);
    return type;
  }
}
