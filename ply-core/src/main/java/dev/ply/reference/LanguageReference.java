package dev.ply.reference;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.Builtins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All topics of the language reference, in reading order. */
public final class LanguageReference {
  private static final ImmutableList<Topic> TOPICS =
      ImmutableList.<Topic>builder()
          .addAll(ProbeTopics.ALL)
          .addAll(StatementTopics.ALL)
          .addAll(builtins())
          .addAll(ValueTopics.ALL)
          .addAll(aggregations())
          .build();

  private LanguageReference() {}

  private static List<Topic> builtins() {
    List<Topic> topics = new ArrayList<>();
    for (Builtin builtin : Builtins.all()) {
      boolean isValue = builtin.signature().required() == 0 && builtin.effect() != Effect.EVENT;
      Topic.Kind kind = isValue ? Topic.Kind.VALUE : Topic.Kind.FUNCTION;
      topics.add(topic(kind, builtin.names(), builtin.documentation()));
    }
    return topics;
  }

  private static List<Topic> aggregations() {
    List<Topic> topics = new ArrayList<>();
    for (AggregateFunction function : AggregateFunctions.all()) {
      topics.add(topic(Topic.Kind.AGGREGATION, function.names(), function.documentation()));
    }
    return topics;
  }

  private static Topic topic(Topic.Kind kind, List<String> names, Documentation documentation) {
    return new Topic(
        kind,
        names,
        documentation.forms(),
        documentation.yields(),
        documentation.summary(),
        documentation.since(),
        documentation.example());
  }

  /** Returns all topics. */
  public static List<Topic> topics() {
    return TOPICS;
  }

  /** Returns the topic of this name. */
  public static Optional<Topic> topic(String name) {
    return TOPICS.stream().filter(topic -> topic.names().contains(name)).findFirst();
  }
}
