package dev.ply.kernel.attach;

import static dev.ply.kernel.Live.countOwn;
import static dev.ply.kernel.Live.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.AttachSpec.Cpus;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.pmu.KprobeUnit;
import dev.ply.kernel.pmu.UprobeUnit;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.name.Errno;
import dev.ply.probe.SamplingRate;
import dev.ply.selector.UserSelector;
import dev.ply.target.Mechanism;
import dev.ply.target.TracepointFormat;
import dev.ply.target.UserLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counts calls that this process makes on purpose, exactly. */
@Tag("live")
final class AttacherIT {
  private static final BpfMap COUNTER = new BpfMap("counter", MapType.ARRAY, 4, 8, 1);
  private static final int CALLS = 1000;

  private final Attacher attacher = new Attacher(Tracefs::open);
  private Optional<LoadedMap> opened = Optional.empty();

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
    opened = Optional.of(LoadedMap.create(COUNTER));
  }

  @AfterEach
  void closeCounter() {
    opened.ifPresent(LoadedMap::close);
  }

  @Test
  void aTracepointRunsFromEnablingToClosing() {
    TracepointFormat format = tracepoint("syscalls", "sys_enter_getppid");
    try (LoadedProgram program = load(ProgramType.TRACEPOINT, countOwn(counter()))) {
      Attachment attachment = tracepoint(format, program);
      assertThat(attachment.description()).isEqualTo("tracepoint:syscalls:sys_enter_getppid");
      countsWhileEnabled(attachment);
    }
  }

  @Test
  void aTracepointsRecordIsTheContext() {
    TracepointFormat format = tracepoint("raw_syscalls", "sys_enter");
    int id = format.field("id").orElseThrow().offset();
    byte[] code = countOwn(counter(), id, ParentCalls.number());
    try (LoadedProgram program = load(ProgramType.TRACEPOINT, code)) {
      countsWhileEnabled(tracepoint(format, program));
    }
  }

  @Test
  void aRawTracepointHasTheKernelsArguments() {
    byte[] code = countOwn(counter(), Long.BYTES, ParentCalls.number());
    try (LoadedProgram program = load(ProgramType.RAW_TRACEPOINT, code)) {
      Attachment attachment = attacher.attach(raw("sys_enter"), program);
      assertThat(attachment.description()).isEqualTo("raw tracepoint sys_enter");
      countsWhileEnabled(attachment);
    }
  }

  @Test
  void twoProgramsShareATracepoint() {
    TracepointFormat format = tracepoint("syscalls", "sys_exit_getppid");
    try (LoadedProgram program = load(ProgramType.TRACEPOINT, countOwn(counter()));
        Attachment first = tracepoint(format, program);
        LoadedProgram other = load(ProgramType.TRACEPOINT, countOwn(counter()));
        Attachment second = tracepoint(format, other)) {
      first.enable();
      second.enable();
      ParentCalls.make(CALLS);
      assertThat(count()).isEqualTo(2 * CALLS);
    }
  }

  @Test
  @Timeout(300)
  void anIntervalFiresAgainAndAgain() {
    try (LoadedProgram program = load(ProgramType.PERF_EVENT, Live.count(counter()));
        Attachment attachment = attacher.attach(interval(Duration.ofMillis(1)), program)) {
      assertThat(count()).isZero();
      attachment.enable();
      while (count() < 3) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aDetachedProgramRunsNoMore() {
    TracepointFormat format = tracepoint("syscalls", "sys_enter_getppid");
    try (LoadedProgram program = load(ProgramType.TRACEPOINT, countOwn(counter()));
        Attachment attachment = tracepoint(format, program)) {
      attachment.enable();
      attachment.detach();
      attachment.detach();
      ParentCalls.make(CALLS);
      assertThat(count()).isZero();
    }
  }

  @Test
  @Timeout(300)
  void aProfileHasAnEventOnEveryCpuThatIsOnline() {
    var rate = new SamplingRate.Hertz(1000);
    AttachSite site = AttachSite.of("profile:1000hz", Mechanism.DIRECT);
    var everyCpu = new AttachSpec.PerfTimer(site, new Cpus.Online(), rate);
    try (LoadedProgram program = load(ProgramType.PERF_EVENT, Live.count(counter()));
        Attachment attachment = attacher.attach(everyCpu, program)) {
      assertThat(attachment.description())
          .isEqualTo("profile:1000hz on " + CpuSet.online().count() + " CPUs");
      assertThat(count()).isZero();
      attachment.enable();
      while (count() < 3) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void anAttachmentMayCloseWithoutHavingRun() {
    TracepointFormat format = tracepoint("syscalls", "sys_enter_getppid");
    try (LoadedProgram program = load(ProgramType.TRACEPOINT, countOwn(counter()))) {
      tracepoint(format, program).close();
      attacher.attach(raw("sys_enter"), program).close();
    }
  }

  @Test
  void aProgramOfAnotherTypeIsRefusedByName() {
    TracepointFormat format = tracepoint("syscalls", "sys_enter_getppid");
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()));
        Attachment attachment = tracepoint(format, program)) {
      assertThatThrownBy(attachment::enable)
          .isInstanceOf(KernelException.class)
          .hasMessage(
              "attaching program \"count\" to tracepoint:syscalls:sys_enter_getppid:"
                  + " invalid argument");
    }
  }

  @Test
  void anUnknownRawTracepointIsRefusedByName() {
    try (LoadedProgram program = load(ProgramType.RAW_TRACEPOINT, countOwn(counter()));
        Attachment attachment = attacher.attach(raw("no_such_event"), program)) {
      assertThatThrownBy(attachment::enable)
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("raw tracepoint no_such_event: no such file or directory");
    }
  }

  @Test
  void aFunctionsEntryIsCounted() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      Attachment attachment = attacher.attach(Probes.entry(ParentCalls.function()), program);
      assertThat(attachment.description())
          .isEqualTo("kprobe:" + ParentCalls.function() + " (perf)");
      countsWhileEnabled(attachment);
    }
  }

  @Test
  void aFunctionsReturnIsCounted() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      countsWhileEnabled(attacher.attach(Probes.returns(ParentCalls.function()), program));
    }
  }

  @Test
  void anUnknownFunctionIsRefused() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      KernelException refused =
          catchThrowableOfType(
              KernelException.class,
              () -> attacher.attach(Probes.entry("no_such_function"), program));
      assertThat(refused.errno()).isEqualTo(Errno.ENOENT);
      assertThat(refused).hasMessageContaining("kprobe:no_such_function");
    }
  }

  @Test
  void kprobesByWayOfTracefsCountTheSameAndLeaveNothingBehind() throws IOException {
    assumeKprobes();
    Attacher old = Attacher.byTracefs(Tracefs::open);
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      Attachment entry = old.attach(Probes.entry(ParentCalls.function()), program);
      assertThat(entry.description()).contains("kprobe_events ply_");
      countsWhileEnabled(entry);
      counter().clear();
      countsWhileEnabled(old.attach(Probes.returns(ParentCalls.function()), program));
    }
    List<String> left = Files.readAllLines(Tracefs.open().file("kprobe_events"));
    assertThat(left).noneMatch(line -> line.contains(ParentCalls.function()));
  }

  @Test
  void whatTracefsRefusesIsToldAsOtherwise() {
    assumeKprobes();
    Attacher old = Attacher.byTracefs(Tracefs::open);
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      for (KernelLocation.Symbol unknown :
          List.of(
              new KernelLocation.Symbol("no_such_function"),
              new KernelLocation.Symbol(Optional.of("no_such_module"), "vfs_read", 0))) {
        KernelException refused =
            catchThrowableOfType(
                KernelException.class, () -> old.attach(Probes.entry(unknown), program));
        assertThat(refused.errno()).isEqualTo(Errno.ENOENT);
        assertThat(refused).hasMessageContaining(unknown.text());
      }
    }
  }

  @Test
  void aReturnCanBeFollowedForManyCalls() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      Attachment many = attacher.attach(Probes.returns(ParentCalls.function(), 64), program);
      assertThat(many.description()).contains("kprobe_events ply_");
      countsWhileEnabled(many);
    }
  }

  @Test
  void uprobesByWayOfTracefsCountTheSameAndLeaveNothingBehind() throws IOException {
    assumeTrue(
        UprobeUnit.ofThisKernel().isPresent(),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    Attacher old = Attacher.byTracefs(Tracefs::open);
    List<UserLocation> places =
        new RunningKernel().binaries().locate(UserSelector.parse("c:getppid"));
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      Attachment entry = old.attach(uprobe(places, false), program);
      assertThat(entry.description()).contains("uprobe_events ply_");
      countsWhileEnabled(entry);
      counter().clear();
      countsWhileEnabled(old.attach(uprobe(places, true), program));
      counter().clear();
      countsWhileEnabled(attacher.attach(uprobe(places, false), program));
    }
    List<String> left = Files.readAllLines(Tracefs.open().file("uprobe_events"));
    assertThat(left).noneMatch(line -> line.contains(places.get(0).file().toString()));
  }

  private void countsWhileEnabled(Attachment attachment) {
    try (attachment) {
      ParentCalls.make(CALLS);
      assertThat(count()).isZero();
      attachment.enable();
      attachment.enable();
      ParentCalls.make(CALLS);
      assertThat(count()).isEqualTo(CALLS);
    }
    ParentCalls.make(CALLS);
    assertThat(count()).isEqualTo(CALLS);
    attachment.close();
    assertThatThrownBy(attachment::enable).isInstanceOf(IllegalStateException.class);
  }

  private static void assumeKprobes() {
    assumeTrue(
        KprobeUnit.ofThisKernel().isPresent(), "this kernel was built without CONFIG_KPROBES");
  }

  private Attachment tracepoint(TracepointFormat format, LoadedProgram program) {
    String definition = "tracepoint:" + format.category() + ":" + format.event();
    AttachSite site = AttachSite.of(definition, Mechanism.TRACEPOINT);
    return attacher.attach(
        new AttachSpec.Tracepoint(site, format.category(), format.event(), 0), program);
  }

  private static AttachSpec raw(String event) {
    AttachSite site = AttachSite.of("rawtracepoint:" + event, Mechanism.DIRECT);
    return new AttachSpec.RawTracepoint(site, event, 0);
  }

  private static AttachSpec interval(Duration period) {
    AttachSite site = AttachSite.of("interval:" + period, Mechanism.DIRECT);
    return new AttachSpec.PerfTimer(site, new Cpus.Any(), new SamplingRate.Every(period));
  }

  private static AttachSpec uprobe(List<UserLocation> locations, boolean isReturn) {
    AttachSite site = AttachSite.of("uprobe:c:getppid", Mechanism.DIRECT);
    return new AttachSpec.Uprobe(site, locations, isReturn);
  }

  private static TracepointFormat tracepoint(String category, String event) {
    Optional<TracepointFormat> format = new RunningKernel().tracepoints().find(category, event);
    assumeTrue(format.isPresent(), () -> "this kernel has no " + category + ":" + event);
    return format.orElseThrow();
  }

  private static LoadedProgram load(ProgramType type, byte[] code) {
    return LoadedProgram.load("count", type, code);
  }

  private LoadedMap counter() {
    return opened.orElseThrow();
  }

  private long count() {
    return counter().lookup(key(0)).orElseThrow().get(0).getLong(0);
  }
}
