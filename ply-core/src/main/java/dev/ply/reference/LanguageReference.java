package dev.ply.reference;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;

/** All topics of the language, in the order in which one would read them. */
public final class LanguageReference {
  private static final ImmutableList<Topic> TOPICS =
      ImmutableList.<Topic>builder()
          .addAll(ProbeTopics.ALL)
          .addAll(StatementTopics.ALL)
          .addAll(ValueTopics.ALL)
          .addAll(FunctionTopics.ALL)
          .build();

  private LanguageReference() {}

  /** Returns all topics. */
  public static List<Topic> topics() {
    return TOPICS;
  }

  /** Returns the topic of that name, if there is one. */
  public static Optional<Topic> topic(String name) {
    return TOPICS.stream().filter(topic -> topic.names().contains(name)).findFirst();
  }
}
