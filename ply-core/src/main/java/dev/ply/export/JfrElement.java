package dev.ply.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An element of the metadata of a JFR chunk, which is a tree of elements with attributes. */
final class JfrElement {
  private final String name;
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private final List<JfrElement> children = new ArrayList<>();

  JfrElement(String name) {
    this.name = name;
  }

  JfrElement with(String attribute, String value) {
    attributes.put(attribute, value);
    return this;
  }

  JfrElement add(JfrElement child) {
    children.add(child);
    return this;
  }

  /** Writes this element; its strings are indices of a table that is filled. */
  void append(JfrBuffer out, Map<String, Integer> strings) {
    out.number(index(strings, name)).number(attributes.size());
    attributes.forEach(
        (attribute, value) -> out.number(index(strings, attribute)).number(index(strings, value)));
    out.number(children.size());
    children.forEach(child -> child.append(out, strings));
  }

  private static int index(Map<String, Integer> strings, String text) {
    int next = strings.size();
    return strings.computeIfAbsent(text, unused -> next);
  }

  /** The numbers of the types that all metadata has, with the elements that declare them. */
  static final class Ids {
    /** The first number; lower ones are the metadata's and the pool's. */
    static final int FIRST = 10;

    private static final List<String> PRIMITIVES =
        List.of(
            "boolean",
            "char",
            "float",
            "double",
            "byte",
            "short",
            "int",
            "long",
            "java.lang.String");

    private static final List<String> ANNOTATIONS =
        List.of(
            "jdk.jfr.Label",
            "jdk.jfr.Timestamp",
            "jdk.jfr.Timespan",
            "jdk.jfr.DataAmount",
            "jdk.jfr.Category");

    /** The first number for other types. */
    static final int NEXT = FIRST + PRIMITIVES.size() + ANNOTATIONS.size() + JfrStacks.TYPES.size();

    private static final List<String> ALL =
        Stream.of(PRIMITIVES, ANNOTATIONS, JfrStacks.TYPES).flatMap(List::stream).toList();

    private final List<JfrElement> declarations = new ArrayList<>();

    Ids() {
      for (String primitive : PRIMITIVES) {
        declarations.add(declaration(primitive));
      }
      // Before the fields that they are used at.
      for (String annotation : ANNOTATIONS) {
        JfrElement value = field("value", "java.lang.String");
        if (annotation.endsWith("Category")) {
          value.with("dimension", "1");
        }
        declarations.add(
            declaration(annotation)
                .with("superType", "java.lang.annotation.Annotation")
                .add(value));
      }
      declarations.addAll(JfrStacks.declarations(this));
    }

    JfrElement declaration(String type) {
      return new JfrElement("class").with("name", type).with("id", id(type));
    }

    static int number(String type) {
      return FIRST + ALL.indexOf(type);
    }

    private static String id(String type) {
      return String.valueOf(number(type));
    }

    List<JfrElement> declarations() {
      return declarations;
    }

    JfrElement field(String field, String type) {
      return new JfrElement("field").with("name", field).with("class", id(type));
    }

    JfrElement annotation(String type, String attribute, String value) {
      return new JfrElement("annotation").with("class", id(type)).with(attribute, value);
    }
  }
}
