package dev.ply.export;

import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Form;
import dev.ply.result.EventShape.Item;
import dev.ply.result.TraceLine;
import dev.ply.table.Datum;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the values of a call's events tell about when and where they happened, by their names and
 * types: {@code pid}, {@code tid}, {@code comm}, {@code cpu}, a time, a duration.
 */
final class EventFields {
  /**
   * A value to show.
   *
   * @param name of the value
   * @param index of the first of its items
   * @param items how many it is made of
   * @param type of its first item; empty for a map
   */
  record Field(String name, int index, int items, Optional<Type> type) {}

  private final String name;
  private final List<Field> fields = new ArrayList<>();
  private final boolean isHit;

  EventFields(EventShape shape) {
    isHit = shape.form() instanceof Form.Trace;
    if (shape.form() instanceof Form.Trace trace) {
      name = trace.line().event();
      int next = 0;
      for (TraceLine.Column column : trace.line().columns()) {
        if (column.items() > 0) {
          fields.add(new Field(column.name(), next, column.items(), type(shape, next)));
        }
        next += column.items();
      }
      return;
    }
    name = shape.form() instanceof Form.Emit emit ? emit.name() : call(shape.form());
    for (int i = 0; i < shape.items().size(); i++) {
      fields.add(new Field(shape.items().get(i).name(), i, 1, type(shape, i)));
    }
  }

  private static String call(Form form) {
    if (form instanceof Form.Printf printf) {
      return printf.message().type();
    }
    return form instanceof Form.Join ? "join" : "print";
  }

  private static Optional<Type> type(EventShape shape, int item) {
    return shape.items().get(item) instanceof Item.Field field
        ? Optional.of(field.type())
        : Optional.empty();
  }

  /** Returns the name of the event, of the record or of the call. */
  String name() {
    return name;
  }

  /** Returns all values, in order. */
  List<Field> fields() {
    return fields;
  }

  private OptionalInt named(String... names) {
    for (String one : names) {
      for (Field field : fields) {
        if (field.name().equals(one)) {
          return OptionalInt.of(field.index());
        }
      }
    }
    return OptionalInt.empty();
  }

  private static OptionalLong number(List<Datum> values, OptionalInt index) {
    return index.isPresent() && values.get(index.getAsInt()) instanceof Datum.Int number
        ? OptionalLong.of(number.value())
        : OptionalLong.empty();
  }

  /** Returns the PID, if an event has it. */
  OptionalLong pid(List<Datum> values) {
    return number(values, named("pid", "tgid"));
  }

  /** Returns the TID, if an event has it. */
  OptionalLong tid(List<Datum> values) {
    return number(values, named("tid", "kpid"));
  }

  /** Returns the number of the CPU, if an event has it. */
  OptionalLong cpu(List<Datum> values) {
    return number(values, named("cpu"));
  }

  /** Returns the name of the thread, if an event has it. */
  Optional<String> comm(List<Datum> values) {
    OptionalInt index = named("comm", "task");
    return index.isPresent() && values.get(index.getAsInt()) instanceof Datum.Text text
        ? Optional.of(text.text())
        : Optional.empty();
  }

  /** Returns the name of the probe, if an event has it. */
  Optional<String> probe(List<Datum> values) {
    OptionalInt index = named("probe", "func", "name");
    return index.isPresent() ? Optional.of(text(values.get(index.getAsInt()))) : Optional.empty();
  }

  private static String text(Datum datum) {
    return datum instanceof Datum.Text text ? text.text() : datum.toText();
  }

  /** Returns when an event happened, in nanoseconds since boot, if it has a time. */
  OptionalLong time(List<Datum> values, BootClock clock) {
    if (isHit) {
      OptionalInt time = named("time");
      if (time.isPresent()
          && values.get(time.getAsInt()) instanceof Datum.Int seconds
          && values.get(time.getAsInt() + 1) instanceof Datum.Int micros) {
        return OptionalLong.of(
            clock.ofMonotonic(seconds.value() * 1_000_000_000 + micros.value() * 1000));
      }
      return OptionalLong.empty();
    }
    for (Field field : fields) {
      if (values.get(field.index()) instanceof Datum.Int number) {
        boolean isMonotonic =
            number.type().format().isPointInTime() || field.name().equals("nsecs(monotonic)");
        boolean isBoot =
            field.name().equals("nsecs")
                || field.name().equals("nsecs()")
                || field.name().equals("nsecs(boot)");
        if (isMonotonic || isBoot) {
          return OptionalLong.of(isBoot ? number.value() : clock.ofMonotonic(number.value()));
        }
      }
    }
    return OptionalLong.empty();
  }

  /** Returns whether a field is a length of time in nanoseconds. */
  static boolean isDuration(Field field) {
    return field.type().isPresent()
        && field.type().get() instanceof IntType type
        && (type.format().isDuration()
            || (type.format() == IntFormat.DECIMAL && field.name().endsWith("_ns")));
  }

  /** Returns how long what ended with an event took, if the event has a duration, from 0 up. */
  OptionalLong duration(List<Datum> values) {
    for (Field field : fields) {
      if (isDuration(field)
          && values.get(field.index()) instanceof Datum.Int number
          && number.value() >= 0) {
        return OptionalLong.of(number.value());
      }
    }
    return OptionalLong.empty();
  }
}
