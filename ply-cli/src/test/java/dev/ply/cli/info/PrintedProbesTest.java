package dev.ply.cli.info;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.cli.bpftrace.BpftraceNames;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.listing.Detail;
import dev.ply.listing.ProbeListing;
import dev.ply.listing.ProbeNames;
import dev.ply.probe.Provider;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PrintedProbesTest {
  private static final SimulatedTarget TARGET =
      SimulatedTarget.create()
          .withFunctions("do_exit", "do_exec")
          .withUserFunctions("/bin/shell", "main", "readline");

  private static final SimulatedTarget WITHOUT_KPROBES =
      TARGET.withAttachFeatures(
          new AttachFeatures() {
            @Override
            public Optional<String> reasonAgainst(Mechanism mechanism) {
              return NONE.reasonAgainst(mechanism);
            }

            @Override
            public boolean hasCookies(Mechanism mechanism) {
              return NONE.hasCookies(mechanism);
            }

            @Override
            public OptionalInt systemCall(String name) {
              return NONE.systemCall(name);
            }

            @Override
            public Optional<String> lacking(Provider provider) {
              return provider == Provider.KPROBE || provider == Provider.KRETPROBE
                  ? Optional.of("this kernel was built without them")
                  : Optional.empty();
            }
          });

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  private int list(String pattern, Detail detail) throws UsageException {
    return list(pattern, detail, ProbeNames.PLY);
  }

  private int list(String pattern, Detail detail, ProbeNames names) throws UsageException {
    return list(TARGET, pattern, detail, names);
  }

  private int list(Target target, String pattern, Detail detail, ProbeNames names)
      throws UsageException {
    Output out = new Output(output);
    Console console =
        new Streams(InputStream.nullInputStream(), out, new ErrorStream(errors), Terminal.NONE)
            .console();
    ProbeListing listing = new ProbeListing(target, names, detail);
    int status = new PrintedProbes(listing, console).print(List.of(pattern));
    out.flush();
    return status;
  }

  private String listed(String pattern) throws UsageException {
    assertThat(list(pattern, Detail.NAMES)).isZero();
    assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
    return output.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "kprobe:do_ex*, kprobe:do_exec kprobe:do_exit",
    "kr:do_exit, kretprobe:do_exit",
    "k*:do_exit, kprobe:do_exit kretprobe:do_exit",
    "t:syscalls:sys_exit_read, tracepoint:syscalls:sys_exit_read",
    "t:sys_exit_read, tracepoint:syscalls:sys_exit_read",
    "rawtracepoint:sys_enter, rawtracepoint:sys_enter",
    "software:*faults, software:page-faults software:minor-faults software:major-faults"
        + " software:alignment-faults software:emulation-faults",
    "h:cpu*, hardware:cpu-cycles",
    "*exit*, kprobe:do_exit tracepoint:raw_syscalls:sys_exit tracepoint:sched:sched_process_exit"
        + " tracepoint:syscalls:sys_exit_read",
    "uprobe:/bin/shell:*, uprobe:/bin/shell:main uprobe:/bin/shell:readline",
    "u:/bin/shell:main, uprobe:/bin/shell:main",
    "*probe:/bin/shell:*, uprobe:/bin/shell:main uprobe:/bin/shell:readline",
    "rawtracepoint:*switch, rawtracepoint:sched_switch",
    "rt:*switch, rawtracepoint:sched_switch",
  })
  void aPatternSelects(String pattern, String probes) throws Exception {
    assertThat(listed(pattern).replace('\n', ' ').strip()).isEqualTo(probes);
  }

  @ParameterizedTest
  @CsvSource({
    "interval:*, interval:hz: interval:ms: interval:s: interval:us:",
    "profile:hz, profile:hz:",
    "software:*cpu*, software:cpu-clock: software:cpu-migrations: software:cpu:",
    "hardware:cycles:, hardware:cycles:",
    "'h:cpu-cycles, kprobe:do_exit', hardware:cpu-cycles: kprobe:do_exit",
    "sched_switch, tracepoint:sched:sched_switch rawtracepoint:sched_switch",
  })
  void bpftraceNamesProbes(String pattern, String probes) throws Exception {
    assertThat(list(pattern, Detail.NAMES, new BpftraceNames())).isZero();
    assertThat(output.toString(StandardCharsets.UTF_8).replace('\n', ' ').strip())
        .isEqualTo(probes);
  }

  @Test
  void fieldsAreThoseOfTheRecord() throws Exception {
    assertThat(list("t:syscalls:sys_exit_read", Detail.FIELDS)).isZero();
    assertThat(output.toString(StandardCharsets.UTF_8))
        .startsWith("tracepoint:syscalls:sys_exit_read\n    s32 __syscall_nr\n")
        .doesNotContain("common_");
  }

  @Test
  void whatMatchesNothingIsAnError() throws Exception {
    assertThat(list("kprobe:nosuch*", Detail.NAMES)).isEqualTo(1);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "error: no probe matches \"kprobe:nosuch*\": to match names that contain it, write"
                + " 'kprobe:*nosuch*'\n");
  }

  @ParameterizedTest
  @CsvSource({
    "kprobe:do_exti, kprobe:do_exit",
    "do_exti, do_exit",
    "sched_swich, sched_switch",
    "kporbe, kprobe",
    "t:sched:sched_swich, tracepoint:sched:sched_switch",
    "t:sched_swich, tracepoint:sched_switch",
    "rt:sched_swich, rawtracepoint:sched_switch",
    "t:sched:sched_swic*, tracepoint:sched:sched_switch",
    "kprobe:do_exti*, kprobe:do_exit",
    "uprobe:/bin/shell:redline*, uprobe:/bin/shell:readline",
  })
  void similarProbesAreSaid(String pattern, String similar) throws Exception {
    for (Detail detail : Detail.values()) {
      errors.reset();
      assertThat(list(pattern, detail)).isEqualTo(1);
      assertThat(errors.toString(StandardCharsets.UTF_8))
          .isEqualTo(
              "error: no probe matches \"" + pattern + "\": did you mean \"" + similar + "\"?\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kprobe:do_*", "kretprobe:do_exit", "kprobe:nosuch", "kprobe", "kr:*"})
  void whatTheMachineCannotAttachIsNotListed(String pattern) {
    assertThatThrownBy(() -> list(WITHOUT_KPROBES, pattern, Detail.NAMES, ProbeNames.PLY))
        .hasMessage("this kernel was built without them");
    assertThat(output.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void ofAllProvidersThoseThatTheMachineLacksAreNamed() throws Exception {
    assertThat(list(WITHOUT_KPROBES, "*exit*", Detail.NAMES, ProbeNames.PLY)).isZero();
    assertThat(output.toString(StandardCharsets.UTF_8))
        .contains("tracepoint:sched:sched_process_exit")
        .doesNotContain("do_exit");
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .isEqualTo("warning: no kprobe is listed: this kernel was built without them\n");
  }

  @ParameterizedTest
  @CsvSource({
    "t:sched:no_such*, t:*no_such*",
    "uprobe:/bin/shell:no_such*, uprobe:/bin/shell:*no_such*",
  })
  void withoutSimilarProbesAWiderPatternIsShown(String pattern, String wider) throws Exception {
    assertThat(list(pattern, Detail.NAMES)).isEqualTo(1);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .endsWith(": to match names that contain it, write '" + wider + "'\n");
  }

  @Test
  void similarProvidersAreSaid() {
    assertThatThrownBy(() -> list("kporbe:do_exit", Detail.NAMES))
        .hasMessage("unknown provider \"kporbe\": did you mean \"kprobe\"?");
  }

  @Test
  void aTypeThatTheKernelLacksIsAnError() throws Exception {
    assertThat(list("struct nosuch", Detail.FIELDS)).isEqualTo(1);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "error: no type of this kernel matches \"struct nosuch\": its types are unknown\n");
  }

  @Test
  void aProviderAloneListsAllItsProbes() throws Exception {
    assertThat(listed("hardware")).startsWith("hardware:cpu-cycles\nhardware:instructions\n");
  }

  @Test
  void probesThatScriptsDefineAreNotListed() throws Exception {
    assertThat(list("profile:*", Detail.NAMES)).isEqualTo(1);
    assertThat(errors.toString(StandardCharsets.UTF_8)).contains("as in profile:99hz");
  }

  @Test
  void anUnknownProviderIsNamed() {
    assertThatThrownBy(() -> list("foo:bar", Detail.NAMES))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("unknown provider \"foo\"");
  }
}
