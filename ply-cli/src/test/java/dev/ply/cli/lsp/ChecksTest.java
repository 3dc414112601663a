package dev.ply.cli.lsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.kernel.RunningKernel;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.target.Target;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** Checks whose thread is this one: tasks run when the test says so. */
class ChecksTest {
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<String> published = new ArrayList<>();
  private final List<String> checked = new ArrayList<>();

  private Optional<Document> typedMeanwhile = Optional.empty();

  private final Checks checks =
      new Checks(
          tasks::add,
          this::check,
          (document, check) -> published.add(document.uri() + document.version()));

  private static Document document(String uri, int version) {
    return new Document(uri, version, "BEGIN { exit(); }");
  }

  private ScriptCheck check(Document document, Patience patience) {
    checked.add(document.uri() + document.version());
    typedMeanwhile.ifPresent(checks::add);
    typedMeanwhile = Optional.empty();
    patience.check();
    return new ScriptCheck(document.source(), List.of(), Optional.empty());
  }

  private void run() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void onlyTheNewestVersionIsChecked() {
    checks.add(document("a", 1));
    checks.add(document("b", 1));
    checks.add(document("a", 2));
    checks.add(document("a", 3));
    run();
    assertThat(checked).containsExactlyInAnyOrder("a3", "b1");
    assertThat(published).containsExactlyInAnyOrder("a3", "b1");
    assertThat(checks.of(document("a", 3))).isPresent();
    assertThat(checks.of(document("a", 2))).isEmpty();
  }

  @Test
  void aNewerVersionEndsTheCheckOfAnOlder() {
    typedMeanwhile = Optional.of(document("a", 2));
    checks.add(document("a", 1));
    run();
    assertThat(checked).containsExactly("a1", "a2");
    assertThat(published).containsExactly("a2");
  }

  @Test
  void whatIsClosedIsNotPublished() {
    checks.add(document("a", 1));
    checks.add(document("b", 1));
    checks.remove("a", () -> published.add("closed"));
    run();
    assertThat(checked).containsExactly("b1");
    assertThat(published).containsExactlyInAnyOrder("b1", "closed");
  }

  private static ScriptCheck check(String script, Patience patience) {
    return ScriptCheck.of(
        new Document("file:///x.ply", 1, script),
        new Dialect(".ply", ScriptArguments.NONE, CompilerOptions.DEFAULT),
        RunningKernel.untried(),
        patience);
  }

  @Test
  void whatTakesTooLongIsReported() {
    assertThat(
            check("kprobe:f { print(cmm); }", new Patience(() -> true, Duration.ZERO))
                .diagnostics())
        .singleElement()
        .satisfies(one -> assertThat(one.message()).contains("it takes longer than 0 seconds"));
    assertThatThrownBy(() -> check("kprobe:f { }", new Patience(() -> false, Duration.ofDays(1))))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void aLimitedMachineAnswersAsTheMachine() {
    Target machine = RunningKernel.untried();
    Target limited = new Patience(() -> true, Duration.ofDays(1)).limited(machine);
    assertThat(limited.architecture()).isEqualTo(machine.architecture());
    assertThat(limited.longestKey()).isEqualTo(machine.longestKey());
    assertThat(limited.constant("__NR_read")).isEqualTo(machine.constant("__NR_read"));
  }
}
