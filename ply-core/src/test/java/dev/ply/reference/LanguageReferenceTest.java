package dev.ply.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.Builtins;
import dev.ply.probe.Provider;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LanguageReferenceTest {
  @Test
  void everyBuiltInHasATopic() {
    assertThat(names()).containsAll(Builtins.names());
  }

  @Test
  void everyAggregationHasATopic() {
    assertThat(names())
        .containsAll(
            AggregateFunctions.all().stream()
                .flatMap(function -> function.names().stream())
                .toList());
  }

  @Test
  void everyProbeHasATopic() {
    assertThat(names())
        .containsAll(Arrays.stream(Provider.values()).map(Provider::keyword).toList());
  }

  @Test
  void aNameHasOneTopic() {
    assertThat(names()).doesNotHaveDuplicates();
  }

  @Test
  void aTopicFitsATerminal() {
    String text = TopicFormat.format(LanguageReference.topic("execname").orElseThrow());
    assertThat(text)
        .isEqualTo(
            """
            comm

                also called execname

                string of at most 15 bytes

                The name of the thread; for a program started from a shell, the start of its
                file name. A literal that is longer never matches, and is warned of.

                Needs Linux 5.10.

                tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
            """);
  }

  @Test
  void listsHangBelowTheirItems() {
    assertThat(TopicFormat.format(LanguageReference.topic("macro").orElseThrow()))
        .contains(
            """

                - Macros of one name differ in the number or kind of their parameters. They
                  cannot call themselves.
            """);
  }

  @Test
  void paragraphsAreShort() {
    assertThat(LanguageReference.topics())
        .flatExtracting(topic -> List.of(topic.summary().split("\n", -1)))
        .allSatisfy(paragraph -> assertThat(paragraph).hasSizeLessThanOrEqualTo(600));
  }

  private static List<String> names() {
    return LanguageReference.topics().stream().flatMap(topic -> topic.names().stream()).toList();
  }
}
