package dev.ply.bpf.session;

import static dev.ply.Values.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.Variable;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.table.Datum;
import dev.ply.table.Row;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Variables of a running trace that Java reads and sets. */
class VariablesTest {
  private static final Firing READ = Firing.kprobe("vfs_read").comm("cat").pid(7);

  @Test
  void aThresholdChangesWhileTracing() {
    Variable least = variable("least");
    var start = Probe.begin().set(least, number(4096));
    var large = Probe.kprobe("vfs_read").where(arg(2).ge(least)).by(comm()).count();
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(start, large)) {
      tracer.fire(READ.arg(2, 100));
      tracer.fire(READ.arg(2, 5000));
      session.set(least, 100);
      tracer.fire(READ.arg(2, 100));
      assertThat(session.read(large).get("cat")).contains(2L);
      assertThat(session.read(least).rowsAs(Least.class)).containsExactly(new Least(100));
    }
  }

  record Least(long value) {}

  @Test
  void keysAreNumbersAndStringsOrThoseOfARow() {
    Variable seen = variable("seen", comm(), pid());
    var set = Probe.kprobe("vfs_read").set(seen, arg(2));
    var read = Probe.kprobe("vfs_write").by(seen).count();
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(set, read)) {
      assertThat(session.read(seen)).isEmpty();
      session.set(seen, -1, "cat", 7);
      tracer.fire(Firing.kprobe("vfs_write").comm("cat").pid(7));
      tracer.fire(READ.arg(2, 5));
      assertThat(session.read(seen).get("cat", 7)).map(VariablesTest::integer).contains(5L);
      Row<Datum> row = session.read(seen).rows().get(0);
      session.set(seen, 6, row.key().parts().toArray());
      assertThat(session.read(seen).get("cat", 7)).map(VariablesTest::integer).contains(6L);
      assertThat(session.read(read).get(-1L)).contains(1L);
    }
  }

  private static long integer(Datum datum) {
    return ((Datum.Int) datum).value();
  }

  @Test
  void aVariableOfAScriptIsFoundByItsName() {
    var script =
        PlyScript.parse(
            "BEGIN { @who = \"0123456789abcde\"; } kprobe:vfs_read / comm == @who / { @n[comm] ="
                + " count(); }");
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(script)) {
      tracer.fire(READ);
      session.set(variable("@who"), "cat");
      tracer.fire(READ);
      assertThat(session.table("@n").get("cat")).map(VariablesTest::integer).contains(1L);
    }
  }

  @Property(tries = 100)
  void whatIsSetIsRead(@ForAll long value, @ForAll @StringLength(max = 3) String key) {
    Variable stored = variable("stored", comm());
    var set = Probe.kprobe("vfs_read").set(stored, nsecs());
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(set)) {
      String until = key.indexOf('\0') < 0 ? key : key.substring(0, key.indexOf('\0'));
      session.set(stored, value, until);
      assertThat(integer(session.read(stored).single())).isEqualTo(value);
      assertThat(session.read(stored).rows().get(0).key().text(0)).isEqualTo(encodable(until));
    }
  }

  /** Lone surrogates other than those of bytes become question marks. */
  private static String encodable(String text) {
    return dev.ply.type.TextBytes.decode(dev.ply.type.TextBytes.encode(text));
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Variable counter = variable("counter", pid());
    Variable name = variable("name");
    var set = Probe.kprobe("vfs_read").set(counter, pid());
    var named = Probe.kprobe("vfs_write").set(name, comm());
    var counted = Probe.kprobe("vfs_read").count().named("n");
    var tracer =
        SimulatedTracer.create(SimulatedTarget.create(), TraceOptions.DEFAULT.withMapEntries(1));
    try (tracer;
        Session session = tracer.start(set, named, counted)) {
      assertRefused(session, counter, 1L << 32, "counter holds 0 to 4294967295, not 4294967296", 1);
      assertRefused(session, counter, 1, "the key of counter has 1 parts, not 0");
      assertRefused(session, counter, 1, "the key of counter, part 0 is set from a number", "x");
      assertRefused(session, name, 1, "name is set from a string");
      assertRefused(
          session,
          variable("@n"),
          1,
          "@n aggregates: only what probes set can be set, others are cleared");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> session.set(name, "0123456789abcdef"))
          .withMessage("name has strings of 15 bytes at most, not 16");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> session.set(variable("x"), 1))
          .withMessage("no map \"x\" in this trace, only [counter, name, @n]");
      session.set(counter, 1, 1);
      session.set(counter, 2, 1);
      assertThatIllegalStateException()
          .isThrownBy(() -> session.set(counter, 1, 2))
          .withMessageContaining("map counter is full: it holds 1 entries");
    }
  }

  private static void assertRefused(
      Session session, Variable variable, long value, String message, Object... keys) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.set(variable, value, keys))
        .withMessage(message);
  }
}
