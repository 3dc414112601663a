package dev.ply.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.cli.bpftrace.Bpftrace;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.run.Program;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.Source;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.model.MetricFamily;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scripts of ply serve, on a simulated machine. */
@Tag("any-java")
@Timeout(60)
class ServedScriptsTest {
  private static final String COUNTS = "kprobe:f { @n = count(); }";

  private final List<SimulatedTracer> machines = Collections.synchronizedList(new ArrayList<>());
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new Output(OutputStream.nullOutputStream()),
          new ErrorStream(errors),
          Set.of(Console.Remark.WARNING),
          Terminal.NONE);
  private final Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(4), () -> 0);
  private final ServedScripts scripts =
      new ServedScripts(
          new ServedScript.ServedBy(
              console,
              new ScriptParsers(
                  ServedScriptsTest::parsed, ServedScriptsTest::parsed, ServedScriptsTest::parsed),
              request -> {
                SimulatedTracer machine = SimulatedTracer.create();
                machines.add(machine);
                return machine;
              },
              backoff,
              false,
              ProfileConfig.NONE));

  private static Program parsed(String... words) throws UsageException {
    if (words[0].isEmpty()) {
      throw new UsageException("no program");
    }
    return new Program(new Source("<input>", words[0]), new TraceRequest(new Bpftrace()));
  }

  private static ScriptConfig script(String name, String text) {
    return new ScriptConfig(name, ScriptKind.TEXT, text, List.of(), MetricOptions.DEFAULT.of(name));
  }

  private void await(String name, Predicate<ScriptState.Snapshot> isMet) throws Exception {
    assertThat(scripts.await(name, isMet, Duration.ofSeconds(30))).as(this::log).isTrue();
  }

  private String log() {
    return errors.toString(StandardCharsets.UTF_8);
  }

  private void fire(int times) {
    for (SimulatedTracer machine : List.copyOf(machines)) {
      for (int i = 0; i < times; i++) {
        try {
          machine.fire(Firing.kprobe("f"));
        } catch (IllegalArgumentException | IllegalStateException e) {
          // One of a script that is not there any more, or that has another probe.
          break;
        }
      }
    }
  }

  private double value(String metric) {
    return scripts.families().stream()
        .filter(family -> family.name().equals(metric))
        .mapToDouble(family -> family.points().get(0).value().number())
        .findFirst()
        .orElse(-1);
  }

  @AfterEach
  void stop() throws Exception {
    scripts.close();
  }

  private ScriptState.Snapshot state(String name) {
    return Objects.requireNonNull(scripts.states().get(name));
  }

  @Test
  void aBrokenScriptIsTriedAgainAndOthersRun() throws Exception {
    scripts.apply(
        List.of(
            script("good", COUNTS), script("broken", "kprobe:f / comm == 1 / { @ = count(); }")));
    await("good", ScriptState.Snapshot::runs);
    await("broken", state -> state.failures().getOrDefault(Failure.Kind.COMPILE, 0L) >= 3);
    fire(5);
    assertThat(value("ply_good_n")).isEqualTo(5);
    assertThat(state("good").failures()).isEmpty();
    assertThat(state("broken").runs()).isFalse();
    // Reported once, and counted.
    assertThat(log().lines().filter(line -> line.startsWith("error: script broken")))
        .containsExactly(
            "error: script broken does not run (compile): <input>:1:12: the left side of \"==\" must"
                + " be a number; this is a char[16] (compare strings with strcmp(a, b) or a =="
                + " \"b\"); it is tried again, in 1 s and then less often");
  }

  @Test
  void whatIsUnchangedKeepsItsCounts() throws Exception {
    scripts.apply(List.of(script("a", COUNTS), script("b", COUNTS)));
    await("a", ScriptState.Snapshot::runs);
    await("b", ScriptState.Snapshot::runs);
    fire(3);
    scripts.apply(List.of(script("a", COUNTS), script("c", COUNTS)));
    await("c", ScriptState.Snapshot::runs);
    fire(4);
    assertThat(value("ply_a_n")).isEqualTo(7);
    assertThat(value("ply_b_n")).isEqualTo(-1);
    assertThat(value("ply_c_n")).isEqualTo(4);
    assertThat(state("a").starts()).isEqualTo(1);
  }

  @Test
  void countersContinueWhereAScriptIsReplaced() throws Exception {
    scripts.apply(List.of(script("a", "kprobe:f { @n = count(); @old = count(); }")));
    await("a", ScriptState.Snapshot::runs);
    fire(3);
    assertThat(value("ply_a_old")).isEqualTo(3);
    // Not read before it is replaced.
    fire(2);
    scripts.apply(List.of(script("a", "kprobe:f { @n = count(); @new = count(); }")));
    await("a", state -> state.starts() == 2);
    fire(4);
    assertThat(value("ply_a_n")).isEqualTo(9);
    assertThat(value("ply_a_new")).isEqualTo(4);
    assertThat(value("ply_a_old")).isEqualTo(-1);
  }

  @Test
  void aReplacementWithErrorsLeavesTheOldOneRunning() throws Exception {
    scripts.apply(List.of(script("a", COUNTS)));
    await("a", ScriptState.Snapshot::runs);
    fire(1);
    scripts.apply(List.of(script("a", "kprobe:f / comm == 1 / { @n = count(); }")));
    await("a", state -> !state.isCurrent());
    fire(1);
    assertThat(value("ply_a_n")).isEqualTo(2);
    assertThat(state("a").runs()).isTrue();
    scripts.apply(List.of(script("a", COUNTS)));
    await("a", ScriptState.Snapshot::isCurrent);
    fire(1);
    assertThat(value("ply_a_n")).isEqualTo(3);
    assertThat(state("a").starts()).isEqualTo(1);
    assertThat(log()).contains("error: script a runs as before (compile): <input>:1:12: ");
  }

  @Test
  void aScriptThatEndsItselfIsStartedAgain() throws Exception {
    scripts.apply(List.of(script("a", "kprobe:f { @n = count(); exit(); }")));
    await("a", ScriptState.Snapshot::runs);
    fire(1);
    await("a", state -> state.starts() == 2);
    assertThat(state("a").failures()).containsEntry(Failure.Kind.ENDED, 1L);
    fire(1);
    await("a", state -> state.starts() == 3);
    assertThat(value("ply_a_n")).isEqualTo(2);
    assertThat(log()).contains("script a does not run (ended): it has called exit;");
  }

  @Test
  void mapsOfTwoScriptsWithOneNameAreReported() throws Exception {
    scripts.apply(
        List.of(
            script("a", "kprobe:f { @b_n = count(); }"), script("a_b", COUNTS), script("c", "")));
    await("a", ScriptState.Snapshot::runs);
    await("a_b", ScriptState.Snapshot::runs);
    await("c", ScriptState.Snapshot::isTried);
    fire(2);
    List<MetricFamily> families = scripts.families();
    assertThat(families).extracting(MetricFamily::name).doesNotHaveDuplicates();
    assertThat(families)
        .filteredOn(family -> family.name().equals("ply_attached_probes"))
        .first()
        .satisfies(family -> assertThat(family.points()).hasSize(3));
    assertThat(log())
        .contains(
            "warning: scripts a and a_b both have a metric ply_a_b_n: that of a_b is left out;");
    assertThat(state("c").last().orElseThrow().kind()).isEqualTo(Failure.Kind.OPTIONS);
  }
}
