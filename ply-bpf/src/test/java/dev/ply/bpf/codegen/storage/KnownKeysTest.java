package dev.ply.bpf.codegen.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregations of which all keys are known have a place for each, and nothing is looked up. */
class KnownKeysTest {
  private static final SimulatedTarget TWO = SimulatedTarget.create().withProcessorSlots(2);

  private static BpfObject compiled(SimulatedTarget target, String script) {
    return new TraceCompiler(target, CompilerOptions.DEFAULT).compile(PlyScript.parse(script));
  }

  private static BpfMap map(SimulatedTarget target, String script) {
    return compiled(target, script).tables().get(0).map();
  }

  private static String listing(String script) {
    BpfObject object = compiled(TWO, script);
    return Disassembler.listing(object.programs().get(0).program().code());
  }

  private static String printed(SimulatedTarget target, String script, Firing... firings) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session session = tracer.prepare(PlyScript.parse(script)).writeTo(out).start()) {
      List.of(firings).forEach(tracer::fire);
      session.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kprobe:f { @ = count(); }",
        "kprobe:f { @[1, \"a\"] = count(); }",
        "kprobe:f { @[probe] = count(); }",
        "kprobe:f, kprobe:g { @[probe] = count(); }",
        "kprobe:f / pid == 42 / { @[pid] = count(); }",
        "kprobe:f / 42 == pid && comm == \"dd\" / { @[comm, pid] = count(); }",
        "kprobe:f { if (comm == \"dd\") { @[comm] = count(); } else { @[\"others\"] = count(); } }",
        "kretprobe:f / retval == -2 / { @[retval] = count(); }",
      })
  void whatIsKnownIsNotLookedUp(String script) {
    assertThat(map(TWO, script).type()).isEqualTo(MapType.ARRAY);
    assertThat(listing(script)).doesNotContain("bpf_map_lookup_elem");
    assertThat(map(SimulatedTarget.create(), script).type()).isEqualTo(MapType.PERCPU_ARRAY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kprobe:f { @[pid] = count(); }",
        "kprobe:f / pid == 42 / { @[kpid] = count(); }",
        "kprobe:f / pid != 42 / { @[pid] = count(); }",
        "kprobe:f / pid == 42 || uid == 0 / { @[pid] = count(); }",
        "kprobe:f { if (pid == 42) { } else { @[pid] = count(); } }",
        "kprobe:f { if (pid == 42) { } @[pid] = count(); }",
        "kprobe:f / pid == arg0 / { @[pid] = count(); }",
        "kprobe:f { @[1] = count(); } kprobe:g { @[pid] = count(); }",
        "kprobe:f { @[1] = count(); delete @[1]; }",
      })
  void whatIsNotIsATable(String script) {
    assertThat(map(TWO, script).type()).isEqualTo(MapType.HASH);
  }

  @Test
  void keysThatWouldNotFitTheMapAreNotPlaced() {
    CompilerOptions two = CompilerOptions.DEFAULT.withMapEntries(2);
    String script = "kprobe:f { @[1] = count(); @[2] = count(); @[3] = count(); }";
    BpfObject object = new TraceCompiler(TWO, two).compile(PlyScript.parse(script));
    assertThat(object.tables().get(0).map().type()).isEqualTo(MapType.HASH);
  }

  @Test
  void onlyWhatWasAddedToIsShown() {
    String script =
        """
        kprobe:f { @sum[1] = sum(0); @n["f"] = count(); @q["f"] = quantize(8); }
        kprobe:g { @sum[2] = sum(arg0); @n["g"] = count(); @q["g"] = quantize(8); }
        END { print(@sum); print(@n); print(@q); }
        """;
    String expected =
        """

        @sum:
        { 1 }: 0


        @n:
        { f }: 2


        @q:
        { f }:
        \t[   8,   16)\t       2 ┤████████████████████████████████│


        """;
    for (SimulatedTarget target : List.of(TWO, SimulatedTarget.create())) {
      assertThat(printed(target, script, Firing.kprobe("f").cpu(0), Firing.kprobe("f").cpu(1)))
          .isEqualTo(expected);
    }
  }

  @Test
  void whatIsClearedIsNotShownAgain() {
    String script =
        """
        kretprobe:f { @["f"] = sum(retval); }
        kprobe:g { print(@); clear(@); }
        END { print(@); }
        """;
    String printed =
        printed(
            TWO,
            script,
            Firing.kretprobe("f").retval(3),
            Firing.kprobe("g"),
            Firing.kprobe("g"),
            Firing.kretprobe("f").retval(-5).cpu(1));
    assertThat(printed).isEqualTo("\n@:\n{ f }: 3\n\n\n\n@:\n{ f }: -5\n\n");
  }

  @Test
  void aConstantOfAnotherTypeIsTheKeyOfTheValue() {
    // Compared as unsigned 32-bit numbers, and shown as the signed one that it is.
    String script = "kprobe:f / uid == -2 / { @[uid] = count(); } END { print(@); }";
    assertThat(printed(TWO, script, Firing.kprobe("f").user(-2, 0)))
        .isEqualTo("\n@:\n{ 4294967294 }: 1\n\n");
  }
}
