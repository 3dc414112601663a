package dev.ply.kernel.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.AttachSpec.KprobeInterface;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.kernel.error.KernelException;
import dev.ply.name.Errno;
import dev.ply.probe.MissingProbes;
import dev.ply.selector.WatchSelector;
import dev.ply.target.Mechanism;
import dev.ply.target.UnreadableTargetException;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AttachReportTest {
  private static final Source SOURCE = new Source("<input>", "kprobe:f* { @ = count(); }");
  private static final SourceSpan SPAN = new SourceSpan("<input>", 1, 1, 1, 10);

  private final AttachReport report = report(Optional.empty());

  @Test
  void whatAPatternDoesNotGetIsANote() {
    report.attached(ofPattern("f1"));
    report.refused(ofPattern("f2"), refusal(Errno.EINVAL));
    for (int i = 3; i < 7; i++) {
      report.refused(ofPattern("f" + i), refusal(Errno.EADDRNOTAVAIL));
    }
    assertThat(DiagnosticRenderer.render(report.finish(), SOURCE))
        .isEqualTo(
            """
            note[skipped-places]: the kernel refused 5 of the 6 sites of kprobe:f*
              <input>:1:1
              | kprobe:f* { @ = count(); }
              | ^~~~~~~~~  kprobe:f2, kprobe:f3, kprobe:f4 and 2 more
            """);
  }

  @Test
  void whatIsAttachedEverywhereIsNotMentioned() {
    report.attached(ofPattern("f1"));
    report.attached(named(new KernelLocation.Symbol("g")));
    assertThat(report.finish()).isEmpty();
  }

  @Test
  void aPatternThatGetsNothingIsAnError() {
    report.refused(ofPattern("f1"), refusal(Errno.EINVAL));
    assertThatThrownBy(report::finish)
        .isInstanceOf(CompilationException.class)
        .hasMessage(
            """
            <input>:1:1: the kernel does not allow a probe on "f1"
              = functions that kprobes themselves need cannot be probed\
            """);
  }

  @Test
  void aPlaceByNameIsNotLeftOut() {
    assertThatThrownBy(
            () ->
                report.refused(
                    named(new KernelLocation.Symbol(Optional.of("ext4"), "f", 0)),
                    refusal(Errno.ENOENT)))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("this kernel has no function \"f\" in a module \"ext4\"");
    assertThatThrownBy(
            () ->
                report.refused(
                    named(new KernelLocation.Symbol(Optional.empty(), "f", 3)),
                    refusal(Errno.EILSEQ)))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("no instruction can be probed at f+3");
    assertThatThrownBy(
            () -> report.refused(named(new KernelLocation.Address(1)), refusal(Errno.ENOENT)))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the kernel does not allow a probe at 0x1");
    UnreadableTargetException noKprobes = new UnreadableTargetException("no kprobes here");
    assertThatThrownBy(() -> report.refused(named(new KernelLocation.Symbol("f")), noKprobes))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("kprobe:f cannot be attached: no kprobes here");
  }

  @Test
  void whatIsNotOfThePlaceEndsTheWholeAttempt() {
    KernelException full = refusal(Errno.EMFILE);
    assertThatThrownBy(() -> report.refused(ofPattern("f1"), full))
        .isInstanceOf(KernelException.class)
        .hasMessageStartingWith(full.getMessage());
  }

  @Test
  void aWatchpointThatCannotFireIsWarnedOfOnce() {
    AttachReport silent = report(Optional.of("hardware breakpoints do not fire on this machine"));
    silent.opening(named(new KernelLocation.Symbol("f")));
    silent.opening(watchpoint("watchpoint:0x1000:8:w"));
    silent.opening(watchpoint("watchpoint:0x2000:8:w"));
    assertThat(
            DiagnosticRenderer.render(
                silent.finish(), new Source("<input>", "watchpoint:0x1000:8:w { exit(); }")))
        .isEqualTo(
            """
            warning[not-offered]: watchpoint:0x1000:8:w shows nothing: hardware breakpoints do not fire on this machine
              <input>:1:1
              | watchpoint:0x1000:8:w { exit(); }
              | ^~~~~~~~~  emulators and some virtual machines accept them without effect: trace on other hardware, or probe the functions that access the memory
            """);
  }

  @Test
  void breakpointsAreTriedForWatchpointsOnly() {
    AttachReport unasked =
        new AttachReport(
            SimulatedTarget.create(),
            feature -> {
              throw new AssertionError(feature);
            });
    unasked.opening(named(new KernelLocation.Symbol("f")));
    assertThat(unasked.finish()).isEmpty();
    AttachReport firing = report(Optional.empty());
    firing.opening(watchpoint("watchpoint:0x1000:8:w"));
    assertThat(firing.finish()).isEmpty();
  }

  private static AttachReport report(Optional<String> reasonAgainst) {
    return new AttachReport(SimulatedTarget.create(), feature -> reasonAgainst);
  }

  private static AttachSpec watchpoint(String definition) {
    return new AttachSpec.Watchpoint(
        new AttachSite(
            definition,
            SPAN,
            Optional.empty(),
            MissingProbes.ERROR,
            Mechanism.DIRECT,
            "it is the only one"),
        0x1000,
        8,
        WatchSelector.Access.WRITE);
  }

  private static KernelException refusal(Errno errno) {
    return new KernelException(errno, "perf_event_open");
  }

  private static AttachSpec ofPattern(String function) {
    return kprobe(new KernelLocation.Symbol(function), Optional.of("kprobe:f*"));
  }

  private static AttachSpec named(KernelLocation location) {
    return kprobe(location, Optional.empty());
  }

  private static AttachSpec kprobe(KernelLocation location, Optional<String> pattern) {
    String definition = "kprobe:" + location.text();
    return new AttachSpec.Kprobe(
        new AttachSite(
            definition, SPAN, pattern, MissingProbes.ERROR, Mechanism.KPROBE, "it costs the least"),
        location,
        false,
        KprobeInterface.PERF,
        OptionalInt.empty(),
        0);
  }
}
