package dev.ply.export;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A type of events.
 *
 * @param id its number
 * @param name of the type
 * @param label for people
 * @param hasDuration whether its events have a duration
 * @param fields after the time and the duration
 */
record JfrType(int id, String name, String label, boolean hasDuration, List<Field> fields) {
  /** The types of values. */
  enum Kind {
    LONG("long"),
    DOUBLE("double"),
    STRING("java.lang.String"),
    /** Frames, the outermost first; all of an event are one stack trace. */
    STACK(JfrStacks.STACK_TRACE);

    final String typeName;

    Kind(String typeName) {
      this.typeName = typeName;
    }
  }

  /** What numbers measure. */
  enum Content {
    NONE("", ""),
    TIME("jdk.jfr.Timestamp", "TICKS"),
    NANOSECONDS("jdk.jfr.Timespan", "NANOSECONDS"),
    BYTES("jdk.jfr.DataAmount", "BYTES");

    final String annotation;
    final String value;

    Content(String annotation, String value) {
      this.annotation = annotation;
      this.value = value;
    }
  }

  /** A field: a Java identifier, what people see, the type of its values. */
  record Field(String name, String label, Kind kind, Content content) {}

  /** Returns names that are Java identifiers, all different, and none of JFR's own. */
  static List<String> names(List<String> labels) {
    Set<String> used =
        new HashSet<>(
            Set.of(
                "startTime",
                "duration",
                "eventThread",
                "stackTrace",
                "endTime",
                "happened",
                "took"));
    List<String> names = new ArrayList<>();
    for (String label : labels) {
      String plain = identifier(label);
      String name = plain;
      for (int i = 2; !used.add(name); i++) {
        name = plain + "_" + i;
      }
      names.add(name);
    }
    return names;
  }

  /** Returns a Java identifier like a text. */
  static String identifier(String text) {
    String plain = text.replaceAll("[^A-Za-z0-9_]+", "_").replaceAll("^_+|_+$", "");
    String cut = plain.substring(0, Math.min(plain.length(), 100));
    boolean isBegun = !cut.isEmpty() && !Character.isDigit(cut.charAt(0));
    return isBegun ? cut : "_" + cut;
  }

  /** Returns whether events have a stack trace. */
  boolean hasStack() {
    return fields.stream().anyMatch(field -> field.kind() == Kind.STACK);
  }

  /** Returns the element of the metadata that describes this type. */
  JfrElement element(JfrElement.Ids ids) {
    JfrElement type =
        new JfrElement("class")
            .with("name", name)
            .with("superType", "jdk.jfr.Event")
            .with("id", String.valueOf(id));
    type.add(ids.annotation("jdk.jfr.Label", "value", label));
    type.add(ids.annotation("jdk.jfr.Category", "value-0", "ply"));
    type.add(
        ids.field("startTime", Kind.LONG.typeName)
            .add(ids.annotation("jdk.jfr.Label", "value", "Start Time"))
            .add(ids.annotation("jdk.jfr.Timestamp", "value", "TICKS")));
    if (hasDuration) {
      type.add(
          ids.field("duration", Kind.LONG.typeName)
              .add(ids.annotation("jdk.jfr.Label", "value", "Duration"))
              .add(ids.annotation("jdk.jfr.Timespan", "value", "TICKS")));
    }
    if (hasStack()) {
      type.add(
          ids.field("stackTrace", Kind.STACK.typeName)
              .with("constantPool", "true")
              .add(ids.annotation("jdk.jfr.Label", "value", "Stack Trace")));
    }
    for (Field field : fields) {
      if (field.kind() == Kind.STACK) {
        continue;
      }
      JfrElement element =
          ids.field(field.name(), field.kind().typeName)
              .add(ids.annotation("jdk.jfr.Label", "value", field.label()));
      Optional.of(field.content())
          .filter(content -> content != Content.NONE)
          .ifPresent(
              content -> element.add(ids.annotation(content.annotation, "value", content.value)));
      type.add(element);
    }
    return type;
  }
}
