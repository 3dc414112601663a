package dev.ply.kernel.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.Live;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.pmu.KprobeUnit;
import dev.ply.kernel.sys.KernelObjects;
import dev.ply.kernel.tracefs.Tracefs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What is left in the kernel of a process that was killed while it attached. */
@Tag("live")
@Tag("once")
@Timeout(600)
@EnabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "counts what all processes have in the kernel: only where nobody else traces")
class KilledIT {
  /** {@code -Dharness.probes=N} makes it more. */
  private static final int PROBES = Integer.getInteger("harness.probes", 20);

  private static final int IN_THE_MIDDLE = PROBES / 2;

  /** All kprobes of the kernel, a line each. */
  private static final Path KPROBES = Path.of("/sys/kernel/debug/kprobes/list");

  private Set<Integer> programs = Set.of();
  private Set<Integer> maps = Set.of();
  private Set<Integer> links = Set.of();

  @BeforeEach
  void assumeKprobes() {
    Live.assumeTracing();
    assumeTrue(
        KprobeUnit.ofThisKernel().isPresent(), "this kernel was built without CONFIG_KPROBES");
    programs = KernelObjects.programs();
    maps = KernelObjects.maps();
    links = KernelObjects.links();
    assertThat(lines(KPROBES)).isEmpty();
  }

  /** Returns functions that are called now and then, each the only one of its name. */
  private static List<String> functions() {
    Map<String, Long> byName =
        lines(Tracefs.open().file("available_filter_functions")).stream()
            .filter(name -> name.matches("(tcp|udp|inet|xfrm|fib|neigh)_\\w+"))
            .collect(
                Collectors.groupingBy(name -> name, LinkedHashMap::new, Collectors.counting()));
    return byName.entrySet().stream()
        .filter(name -> name.getValue() == 1)
        .map(Map.Entry::getKey)
        .limit(PROBES)
        .toList();
  }

  private void kill(String mechanism, List<String> functions) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(mechanism));
    arguments.addAll(functions);
    Process victim = Victim.start(arguments);
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8))) {
      for (int i = 1; i <= IN_THE_MIDDLE; i++) {
        assertThat(output.readLine()).startsWith("kprobe:");
      }
      assertThat(victim.isAlive()).isTrue();
      assertThat(lines(KPROBES)).hasSizeGreaterThanOrEqualTo(IN_THE_MIDDLE);
      assertThat(KernelObjects.programs()).hasSize(programs.size() + 1);
    } finally {
      victim.destroyForcibly().waitFor();
    }
  }

  @Test
  void theKernelTakesEverythingBackWithTheProcess() throws Exception {
    List<String> functions = functions();
    assertThat(functions).hasSize(PROBES);
    kill("perf", functions);
    awaitNoProbes();
    assertNothingIsLeft();
  }

  @Test
  void whatTracefsKeepsIsRemovedByTheNextWhoAttaches() throws Exception {
    kill("tracefs", functions());
    Path control = Tracefs.open().file("kprobe_events");
    assertThat(lines(control)).hasSizeGreaterThanOrEqualTo(IN_THE_MIDDLE);

    BpfMap map = new BpfMap("counter", MapType.ARRAY, 4, 8, 1);
    try (LoadedMap counter = LoadedMap.create(map);
        LoadedProgram program =
            LoadedProgram.load("count", ProgramType.KPROBE, Live.countOwn(counter))) {
      Attacher next = Attacher.byTracefs(Tracefs::open);
      try (Attachment own = next.attach(Probes.entry(ParentCalls.function()), program)) {
        own.enable();
        assertThat(lines(control)).hasSize(1);
      }
    }
    awaitNoProbes();
    assertNothingIsLeft();
  }

  /** The kernel frees what a process had some time after its end. */
  private static void awaitNoProbes() {
    while (!lines(KPROBES).isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void assertNothingIsLeft() {
    assertThat(lines(Tracefs.open().file("kprobe_events"))).isEmpty();
    while (KernelObjects.programs().size() > programs.size()
        || KernelObjects.maps().size() > maps.size()
        || KernelObjects.links().size() > links.size()) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(KernelObjects.programs()).isEqualTo(programs);
    assertThat(KernelObjects.maps()).isEqualTo(maps);
    assertThat(KernelObjects.links()).isEqualTo(links);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
