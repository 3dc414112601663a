package dev.ply.bpf.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.listing.Listed;
import dev.ply.listing.ProbeListing;
import dev.ply.probe.Provider;
import dev.ply.selector.InvalidSelectorException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists of probes are values for Java programs. */
class SimulatedListingTest {
  private final ProbeListing listing =
      new ProbeListing(
          SimulatedTarget.create()
              .withFunctions("do_exit", "do_exec")
              .withUserFunctions("/bin/shell", "main", "readline"));

  @Test
  void probesHaveTheirProviderAndTheirName() {
    assertThat(listing.list("kprobe:do_ex*"))
        .containsExactly(
            new Listed.Probe(Provider.KPROBE, "do_exec", List.of()),
            new Listed.Probe(Provider.KPROBE, "do_exit", List.of()));
    assertThat(listing.list("uprobe:/bin/shell:read*"))
        .containsExactly(new Listed.Probe(Provider.UPROBE, "/bin/shell:readline", List.of()));
  }

  @Test
  void aProbeCanBeCalledAsItsProvider() {
    assertThat(listing.list("offcpu"))
        .extracting(probe -> ((Listed.Probe) probe).text())
        .containsExactly("offcpu", "offcpu:blocked", "offcpu:preempted");
    assertThat(listing.list("offcpu:b*")).hasSize(1);
  }

  @Test
  void tracepointsHaveTheirFields() {
    assertThat(listing.list("t:syscalls:sys_exit_read"))
        .singleElement()
        .isInstanceOfSatisfying(
            Listed.Probe.class,
            probe -> {
              assertThat(probe.text()).isEqualTo("tracepoint:syscalls:sys_exit_read");
              assertThat(probe.fields()).startsWith("s32 __syscall_nr");
            });
  }

  @Test
  void whatMatchesNothingHasAHint() {
    assertThat(listing.list("kprobe:do_exti")).isEmpty();
    assertThat(listing.nothing("kprobe:do_exti"))
        .isEqualTo("no probe matches \"kprobe:do_exti\": did you mean \"kprobe:do_exit\"?");
  }

  @Test
  void anUnknownProviderIsRefused() {
    assertThatThrownBy(() -> listing.list("kporbe:do_exit"))
        .isInstanceOf(InvalidSelectorException.class)
        .hasMessage("unknown provider \"kporbe\"");
  }
}
