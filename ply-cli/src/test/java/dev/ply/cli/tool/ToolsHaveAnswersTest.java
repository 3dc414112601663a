package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each tool has a test that knows what it has to show. */
class ToolsHaveAnswersTest {
  /** Each line begins with a tool. */
  private static final List<String> TABLES =
      List.of(ToolIT.KNOWN, BesideOthersIT.KNOWN, KernelToolsIT.KNOWN, KernelToolsIT.EVERYWHERE);

  /** The tools of their other tests are told by {@link Answers}. */
  private static final List<Class<?>> TESTS =
      List.of(
          BesideOthersIT.class,
          DiskToolsIT.class,
          JavaAllocIT.class,
          JavaToolsIT.class,
          MemoryToolsIT.class,
          NetworkToolsIT.class,
          SchedulerToolsIT.class,
          SslSniffIT.class);

  @Test
  void noToolIsWithout() {
    Stream<String> inTables =
        TABLES.stream()
            .flatMap(String::lines)
            .filter(line -> !line.contains(" -h "))
            .map(line -> line.strip().split("\\W", 2)[0]);
    Stream<String> alone =
        TESTS.stream()
            .flatMap(test -> Stream.of(test.getDeclaredMethods()))
            .filter(method -> method.isAnnotationPresent(Answers.class))
            .flatMap(method -> Stream.of(method.getAnnotation(Answers.class).value()));
    assertThat(Stream.concat(inTables, alone).distinct())
        .containsExactlyInAnyOrderElementsOf(Tools.ownNames());
  }
}
