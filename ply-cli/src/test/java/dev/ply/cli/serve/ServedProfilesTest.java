package dev.ply.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.cli.bpftrace.Bpftrace;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.profile.ProfileStores;
import dev.ply.cli.profile.ReceivedProfile;
import dev.ply.cli.profile.ReceivingStore;
import dev.ply.cli.run.Program;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.Source;
import dev.ply.metrics.MetricOptions;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Profiles of the scripts of ply serve. */
@Tag("any-java")
@Timeout(60)
class ServedProfilesTest {
  private final SimulatedTracer machine = SimulatedTracer.create();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  private ServedScripts scripts(ReceivingStore store) {
    Console console =
        new Console(
            new Output(OutputStream.nullOutputStream()),
            new ErrorStream(errors),
            Set.of(Console.Remark.WARNING),
            Terminal.NONE);
    return new ServedScripts(
        new ServedScript.ServedBy(
            console,
            new ScriptParsers(
                ServedProfilesTest::parsed, ServedProfilesTest::parsed, ServedProfilesTest::parsed),
            request -> machine,
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(4), () -> 0),
            false,
            new ProfileConfig(
                new ProfileStores(Optional.of(store.url()), Optional.empty(), Optional.empty()),
                Duration.ofHours(1))));
  }

  private static Program parsed(String... words) {
    return new Program(new Source("<input>", words[0]), new TraceRequest(new Bpftrace()));
  }

  private static ScriptConfig script(String name, String text) {
    return new ScriptConfig(name, ScriptKind.TEXT, text, List.of(), MetricOptions.DEFAULT.of(name));
  }

  @Test
  void mapsByStacksArePushedAndOthersAreNot() throws Exception {
    try (ReceivingStore store = new ReceivingStore()) {
      ServedScripts scripts = scripts(store);
      scripts.apply(List.of(script("reads", "kprobe:f { @n[kstack] = count(); @c = count(); }")));
      assertThat(scripts.await("reads", ScriptState.Snapshot::runs, Duration.ofSeconds(30)))
          .as(errors::toString)
          .isTrue();
      for (int i = 0; i < 3; i++) {
        machine.fire(Firing.kprobe("f").stack(0xffffffff81000010L));
      }
      scripts.close();
      assertThat(store.profiles()).hasSize(1);
      ReceivedProfile profile = store.profiles().get(0);
      assertThat(profile.series()).containsValue("reads");
      assertThat(profile.samples()).hasSize(1);
      assertThat(profile.samples().get(0).values()).containsExactly(3L);
    }
    assertThat(errors.toString(StandardCharsets.UTF_8)).doesNotContain("error", "warning");
  }

  @Test
  void aScriptWithoutStacksRuns() throws Exception {
    try (ReceivingStore store = new ReceivingStore()) {
      ServedScripts scripts = scripts(store);
      scripts.apply(List.of(script("reads", "kprobe:f { @c = count(); }")));
      assertThat(scripts.await("reads", ScriptState.Snapshot::runs, Duration.ofSeconds(30)))
          .isTrue();
      scripts.close();
      assertThat(store.profiles()).isEmpty();
    }
    assertThat(errors.toString(StandardCharsets.UTF_8)).doesNotContain("error", "warning");
  }
}
