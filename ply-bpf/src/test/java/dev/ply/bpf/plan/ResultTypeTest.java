package dev.ply.bpf.plan;

import static dev.ply.Values.func;
import static dev.ply.Values.retval;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.target.KernelTypes;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of a number that is narrower than its register, the rest of that has anything. */
class ResultTypeTest {
  private static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    Map<String, Integer> results =
        Map.of(
            "f_s8", btf.integer("signed char", 1, true),
            "f_u8", btf.integer("_Bool", 1, false),
            "f_s16", btf.integer("short int", 2, true),
            "f_u16", btf.integer("short unsigned int", 2, false),
            "f_s32", s32,
            "f_u32", btf.integer("unsigned int", 4, false),
            "f_s64", btf.integer("long int", 8, true),
            "f_u64", btf.integer("long unsigned int", 8, false),
            "f_pointer", btf.pointer(s32),
            "f_void", 0);
    results.forEach(
        (name, result) -> {
          int unused = btf.function(name, result);
        });
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static String run(Probe probe, Firing... firings) {
    StringBuilder text = new StringBuilder();
    SimulatedTarget target =
        SimulatedTarget.create().withTypes(types()).withFunctions("f_s32", "f_u32", "f_s64");
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session session = tracer.prepare(List.of(probe)).printTo(text::append).start()) {
      for (Firing firing : firings) {
        tracer.fire(firing);
      }
      session.tables().forEach(table -> table.table().forEach(text::append));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "f_s8, 0x77777777777777fe, -2",
    "f_u8, 0x7777777777777701, 1",
    "f_s16, 0x777777777777fffe, -2",
    "f_u16, 0x777777777777fffe, 65534",
    "f_s32, 0x00000000ffffffff, -1",
    "f_s32, 0x7777777700000007, 7",
    "f_u32, 0x77777777ffffffff, 4294967295",
    "f_s64, 0xffffffffffffffff, -1",
    "f_u64, 0xffffffffffffffff, 18446744073709551615",
    "f_pointer, 0xffff888000001000, 0xffff888000001000",
    "f_void, 0x00000000ffffffff, 4294967295",
    "f_unknown, 0x00000000ffffffff, 4294967295",
  })
  void resultsAreOfTheDeclaredType(String function, String register, String printed) {
    long value = Long.parseUnsignedLong(register.substring(2), 16);
    assertThat(
            run(
                Probe.kretprobe(function).print(retval()),
                Firing.kretprobe(function).retval(value)))
        .isEqualToIgnoringNewLines(printed);
  }

  @Test
  void theFunctionsOfAPatternHaveTypesOfTheirOwn() {
    long minusOne = 0xffff_ffffL;
    assertThat(
            run(
                Probe.kretprobe("f_*").by(func(), retval()).count(),
                Firing.kretprobe("f_s32").retval(minusOne),
                Firing.kretprobe("f_u32").retval(minusOne),
                Firing.kretprobe("f_s64").retval(minusOne)))
        .contains("f_s32", "-1", "f_u32", "4294967295");
  }

  @Test
  void comparisonsAreThoseOfTheType() {
    Probe negative = Probe.kretprobe("f_s32").where(retval().lt(0)).print(retval());
    assertThat(run(negative, Firing.kretprobe("f_s32").retval(0xffff_fff2L)))
        .isEqualToIgnoringNewLines("-14");
  }
}
