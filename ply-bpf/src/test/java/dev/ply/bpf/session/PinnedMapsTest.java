package dev.ply.bpf.session;

import static dev.ply.Values.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ply.AggregateProbe;
import dev.ply.EventProbe;
import dev.ply.Probe;
import dev.ply.TraceOptions;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.table.Histogram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Maps that outlive their trace, on the simulated machine. */
class PinnedMapsTest {
  record Hit(int pid) {}

  private static final AggregateProbe<Histogram> SIZES =
      Probe.kprobe("vfs_read").by(comm()).quantize(arg(2));

  private static SimulatedTracer pinning() {
    return SimulatedTracer.create(
        SimulatedTarget.create(), TraceOptions.DEFAULT.pinnedAt(Path.of("/sys/fs/bpf/sizes")));
  }

  private static Firing read(String comm) {
    return Firing.kprobe("vfs_read").comm(comm).arg(2, 4096);
  }

  @Test
  void aTraceContinuesWhatAnEarlierOneCounted() {
    try (var tracer = pinning()) {
      try (var session = tracer.start(SIZES)) {
        tracer.fire(read("cat"));
        assertThat(session.read(SIZES).get("cat").orElseThrow().count()).isEqualTo(1);
      }
      tracer.fire(read("cat"));
      try (var session = tracer.start(SIZES)) {
        tracer.fire(read("cat"));
        tracer.fire(read("dd"));
        assertThat(session.read(SIZES).get("cat").orElseThrow().count()).isEqualTo(2);
      }
      try (var trace = tracer.prepare(SIZES)) {
        assertThat(trace.read(SIZES).get("dd").orElseThrow().count()).isEqualTo(1);
        assertThat(trace.table("@").size()).isEqualTo(2);
      }
    }
  }

  @Test
  void withoutPinsATraceBeginsEmpty() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(SIZES);
        var other = tracer.prepare(SIZES)) {
      tracer.fire(read("cat"));
      assertThat(session.read(SIZES)).isNotEmpty();
      assertThat(other.read(SIZES)).isEmpty();
      tracer.unpin();
      assertThat(session.read(SIZES)).isNotEmpty();
    }
  }

  @Test
  void sessionsShareResultsAndNotEvents() {
    EventProbe<Hit> hits = Probe.kprobe("vfs_read").emit(Hit.class, pid());
    List<Integer> first = new ArrayList<>();
    List<Integer> second = new ArrayList<>();
    try (var tracer = pinning();
        var a = tracer.prepare(SIZES, hits).listen(hits, hit -> first.add(hit.pid())).start()) {
      tracer.fire(read("cat").pid(1));
      try (var b = tracer.prepare(SIZES, hits).listen(hits, hit -> second.add(hit.pid())).start()) {
        tracer.fire(read("cat").pid(2));
        // Once by the programs of each.
        assertThat(b.read(SIZES).get("cat").orElseThrow().count()).isEqualTo(3);
      }
      tracer.fire(read("cat").pid(3));
      assertThat(a.read(SIZES).get("cat").orElseThrow().count()).isEqualTo(4);
    }
    assertThat(first).containsExactly(1, 2, 3);
    assertThat(second).containsExactly(2);
  }

  @Test
  void aRemovedPinLeavesItsTrace() {
    try (var tracer = pinning();
        var session = tracer.start(SIZES)) {
      tracer.fire(read("cat"));
      tracer.unpin();
      try (var next = tracer.prepare(SIZES)) {
        assertThat(next.read(SIZES)).isEmpty();
      }
      assertThat(session.read(SIZES).size()).isEqualTo(1);
    }
  }

  @Test
  void anotherTraceIsRefused() {
    try (var tracer = pinning()) {
      tracer.start(SIZES).close();
      assertThatIllegalStateException()
          .isThrownBy(() -> tracer.prepare(Probe.kprobe("vfs_read").by(pid()).quantize(arg(2))))
          .withMessageMatching(
              "/sys/fs/bpf/sizes has the maps of another trace: there \"map @ .*\", here \"map @"
                  + " .*\"");
      assertThatIllegalStateException()
          .isThrownBy(
              () -> tracer.prepare(PlyScript.parse("kprobe:vfs_read { @[comm] = count(); }")))
          .withMessageContaining("has the maps of another trace");
      tracer.start(Probe.kprobe("vfs_write").by(comm()).quantize(arg(2))).close();
    }
  }

  @Test
  void aRelativeDirectoryIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceOptions.DEFAULT.pinnedAt(Path.of("sizes")))
        .withMessage("sizes is relative: maps are pinned at an absolute path below /sys/fs/bpf");
  }

  @Property(tries = 50)
  void anyNumberOfTracesAddUp(@ForAll @Size(max = 6) List<Boolean> restarts) {
    var calls = Probe.kprobe("vfs_read").count();
    try (var tracer = pinning()) {
      var session = tracer.start(calls);
      for (boolean restart : restarts) {
        if (restart) {
          session.close();
          session = tracer.start(calls);
        }
        tracer.fire(read("cat"));
      }
      long counted = session.read(calls).stream().mapToLong(row -> row.value()).sum();
      assertThat(counted).isEqualTo(restarts.size());
    }
  }
}
