package dev.ply.cli.yaml;

import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A mapping of a file. Keys are read by name, with the type that each has; {@link #requireRead}
 * then reports those that nobody has read. A value of another type is an error, and as if it were
 * missing; so is {@code null}, without an error.
 */
public final class YamlMap {
  private final SourceSpan span;
  private final YamlErrors errors;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  private record Entry(SourceSpan key, Node value) {}

  private YamlMap(SourceSpan span, YamlErrors errors) {
    this.span = span;
    this.errors = errors;
  }

  static YamlMap empty(Source source, YamlErrors errors) {
    return new YamlMap(new SourceSpan(source.name(), 1, 1, 1, 1), errors);
  }

  static YamlMap of(MappingNode node, YamlErrors errors) {
    YamlMap map = new YamlMap(errors.span(node), errors);
    for (NodeTuple tuple : node.getValue()) {
      SourceSpan key = errors.span(tuple.getKeyNode());
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        errors.add(key, "a key is a word");
        continue;
      }
      Entry entry = new Entry(key, tuple.getValueNode());
      Optional<Entry> first = Optional.ofNullable(map.entries.putIfAbsent(name.getValue(), entry));
      first.ifPresent(
          one ->
              errors.add(
                  key,
                  "\"" + name.getValue() + "\" is given twice",
                  "first in line " + one.key().line()));
    }
    return map;
  }

  /** Returns where it begins. */
  public SourceSpan span() {
    return span;
  }

  /** Returns where a key is, or the mapping without it. */
  public SourceSpan keySpan(String key) {
    return Optional.ofNullable(entries.get(key)).map(Entry::key).orElse(span);
  }

  /** Returns whether a key has a value. */
  public boolean has(String key) {
    return value(key).isPresent();
  }

  /** Returns the keys, in the order of the file. */
  public List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  private Optional<Node> value(String key) {
    known.add(key);
    return Optional.ofNullable(entries.get(key))
        .map(Entry::value)
        .filter(value -> !value.getTag().equals(Tag.NULL));
  }

  private void wrong(Node value, String key, String type) {
    errors.add(errors.span(value), "\"" + key + "\" takes " + type);
  }

  /** Returns a string; a number is one, too. */
  public Optional<YamlText> text(String key) {
    Optional<Node> value = value(key);
    if (value.isPresent() && !(value.get() instanceof ScalarNode)) {
      wrong(value.get(), key, "a string");
      return Optional.empty();
    }
    return value.map(ScalarNode.class::cast).map(this::text);
  }

  private YamlText text(ScalarNode node) {
    return new YamlText(node.getValue(), errors.span(node));
  }

  /** Returns a number from 1 up. */
  public OptionalInt number(String key, int most) {
    Optional<Node> value = value(key);
    if (value.isEmpty()) {
      return OptionalInt.empty();
    }
    if (value.get() instanceof ScalarNode scalar && scalar.getValue().matches("[1-9][0-9]{0,8}")) {
      int number = Integer.parseInt(scalar.getValue());
      if (number <= most) {
        return OptionalInt.of(number);
      }
    }
    wrong(value.get(), key, "a number from 1 to " + most);
    return OptionalInt.empty();
  }

  /** Returns {@code true} or {@code false}, which a missing key is. */
  public boolean flag(String key) {
    return flag(key, false);
  }

  /**
   * Returns {@code true} or {@code false}.
   *
   * @param usual that a missing key is
   */
  public boolean flag(String key, boolean usual) {
    Optional<Node> value = value(key);
    if (value.isPresent()) {
      if (value.get() instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
        return Boolean.parseBoolean(scalar.getValue());
      }
      wrong(value.get(), key, "true or false");
    }
    return usual;
  }

  /** Returns a list of strings; none if the key is missing. */
  public List<YamlText> texts(String key) {
    List<YamlText> texts = new ArrayList<>();
    Optional<Node> value = value(key);
    if (value.isEmpty()) {
      return texts;
    }
    if (!(value.get() instanceof SequenceNode list)) {
      wrong(value.get(), key, "a list: [one, two]");
      return texts;
    }
    for (Node one : list.getValue()) {
      if (one instanceof ScalarNode scalar) {
        texts.add(text(scalar));
      } else {
        errors.add(errors.span(one), "a string is expected in \"" + key + "\"", "quote it");
      }
    }
    return texts;
  }

  /** Returns a mapping. */
  public Optional<YamlMap> map(String key) {
    Optional<Node> value = value(key);
    if (value.isPresent() && !(value.get() instanceof MappingNode)) {
      wrong(value.get(), key, "a mapping: indented lines of key: value");
      return Optional.empty();
    }
    return value.map(MappingNode.class::cast).map(node -> of(node, errors));
  }

  /** Reports the keys that have not been asked for. */
  public void requireRead() {
    entries.forEach(
        (name, entry) -> {
          if (!known.contains(name)) {
            errors.add(
                entry.key(),
                "unknown key \"" + name + "\"",
                Suggestions.hint(name, known.stream(), "known are " + String.join(", ", known)));
          }
        });
  }
}
