package dev.ply.kernel.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import dev.ply.machine.KernelVersion;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the running kernel answers is what its version implies. */
@Tag("live")
final class KernelTrialsIT {
  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @EnumSource(
      value = Helper.class,
      // Lockdown and builds exclude some; which programs have coarse clocks, no version tells.
      names = {
        "PROBE_WRITE_USER",
        "OVERRIDE_RETURN",
        "READ_BRANCH_RECORDS",
        "GET_BRANCH_SNAPSHOT",
        "KTIME_GET_COARSE_NS"
      },
      mode = EnumSource.Mode.EXCLUDE)
  void kprobesHaveTheHelpersOfTheirKernel(Helper helper) {
    KernelVersion running = new RunningKernel().version();
    Optional<KernelVersion> since = ProgramType.KPROBE.offers(helper);
    assertThat(KernelTrials.offers(ProgramType.KPROBE, helper))
        .isEqualTo(since.isPresent() && running.compareTo(since.get()) >= 0);
  }

  @ParameterizedTest
  @EnumSource(MapType.class)
  void mapsOfAllTypesInUseCanBeCreated(MapType type) {
    assertThat(KernelTrials.creates(type)).isTrue();
  }

  @Test
  void theVerifierTellsItsLimit() {
    assertThat(KernelTrials.instructionLimit()).hasValue(1_000_000);
  }

  @Test
  void pathsAreOfferedToIterators() {
    boolean offered = new RunningKernel().version().isAtLeast(5, 12) && KernelTrials.iterates();
    assertThat(KernelTrials.offersIterators(Helper.D_PATH)).isEqualTo(offered);
    assertThat(KernelTrials.offers(ProgramType.KPROBE, Helper.D_PATH)).isFalse();
  }

  @Test
  void linksToManyPlacesAreOfSomeVersion() {
    KernelVersion running = new RunningKernel().version();
    assertThat(KernelTrials.linksManyUprobes()).isEqualTo(running.isAtLeast(6, 6));
    assertThat(KernelTrials.linksSessions())
        .isEqualTo(
            running.isAtLeast(6, 10) && KernelFeatures.ofThisKernel().has(Feature.KPROBE_MULTI));
  }
}
