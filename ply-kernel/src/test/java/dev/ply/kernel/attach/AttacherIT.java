package dev.ply.kernel.attach;

import static dev.ply.kernel.Live.countOwn;
import static dev.ply.kernel.Live.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.SamplingRate;
import dev.ply.ir.TracepointSelector;
import dev.ply.ir.UserSelector;
import dev.ply.kernel.CpuSet;
import dev.ply.kernel.Errno;
import dev.ply.kernel.KernelException;
import dev.ply.kernel.Live;
import dev.ply.kernel.LoadedMap;
import dev.ply.kernel.LoadedProgram;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.target.TracepointFormat;
import dev.ply.target.UserLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
      Attachment attachment = attacher.rawTracepoint("sys_enter", program);
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
        Attachment attachment = attacher.interval(Duration.ofMillis(1), program)) {
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
    var everyCpu = new AttachPoint.Profile(OptionalInt.empty(), rate);
    try (LoadedProgram program = load(ProgramType.PERF_EVENT, Live.count(counter()));
        Attachment attachment = attacher.profile(everyCpu, program)) {
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
  void anIntervalNeedsAPeriod() {
    try (LoadedProgram program = load(ProgramType.PERF_EVENT, Live.count(counter()))) {
      assertThatThrownBy(() -> attacher.interval(Duration.ZERO, program))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a timer needs a positive period, not PT0S");
    }
  }

  @Test
  void anAttachmentMayCloseWithoutHavingRun() {
    TracepointFormat format = tracepoint("syscalls", "sys_enter_getppid");
    try (LoadedProgram program = load(ProgramType.TRACEPOINT, countOwn(counter()))) {
      tracepoint(format, program).close();
      attacher.rawTracepoint("sys_enter", program).close();
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
        Attachment attachment = attacher.rawTracepoint("no_such_event", program)) {
      assertThatThrownBy(attachment::enable)
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("raw tracepoint no_such_event: no such file or entry");
    }
  }

  @Test
  void aFunctionsEntryIsCounted() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      Attachment attachment =
          attacher.kprobe(new KernelSelector.Function(ParentCalls.function()), program);
      assertThat(attachment.description())
          .isEqualTo("kprobe:" + ParentCalls.function() + " (perf)");
      countsWhileEnabled(attachment);
    }
  }

  @Test
  void aFunctionsReturnIsCounted() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      countsWhileEnabled(
          attacher.kretprobe(new KernelSelector.Function(ParentCalls.function()), program));
    }
  }

  @Test
  void anUnknownFunctionIsRefused() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      KernelException refused =
          catchThrowableOfType(
              KernelException.class,
              () -> attacher.kprobe(new KernelSelector.Function("no_such_function"), program));
      assertThat(refused.errno()).isEqualTo(Errno.ENOENT);
      assertThat(refused).hasMessageContaining("kprobe:no_such_function");
    }
  }

  @Test
  void kprobesByWayOfTracefsCountTheSameAndLeaveNothingBehind() throws IOException {
    assumeKprobes();
    Attacher old = new Attacher(Tracefs::open, Optional.empty());
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      Attachment entry = old.kprobe(new KernelSelector.Function(ParentCalls.function()), program);
      assertThat(entry.description()).contains("kprobe_events ply_");
      countsWhileEnabled(entry);
      counter().clear();
      countsWhileEnabled(
          old.kretprobe(new KernelSelector.Function(ParentCalls.function()), program));
    }
    List<String> left = Files.readAllLines(Tracefs.open().file("kprobe_events"));
    assertThat(left).noneMatch(line -> line.contains(ParentCalls.function()));
  }

  @Test
  void whatTracefsRefusesIsToldAsOtherwise() {
    assumeKprobes();
    Attacher old = new Attacher(Tracefs::open, Optional.empty());
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      for (String unknown : List.of("no_such_function", "no_such_module:vfs_read")) {
        KernelException refused =
            catchThrowableOfType(
                KernelException.class, () -> old.kprobe(KernelSelector.parse(unknown), program));
        assertThat(refused.errno()).isEqualTo(Errno.ENOENT);
        assertThat(refused).hasMessageContaining(unknown);
      }
    }
  }

  @Test
  void aReturnCanBeFollowedForManyCalls() {
    assumeKprobes();
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      KernelSelector.Entry place = new KernelSelector.Function(ParentCalls.function());
      Attachment many = attacher.kretprobe(place, 64, program, 0);
      assertThat(many.description()).contains("kprobe_events ply_");
      countsWhileEnabled(many);
    }
  }

  @Test
  void uprobesByWayOfTracefsCountTheSameAndLeaveNothingBehind() throws IOException {
    assumeTrue(
        UprobeUnit.ofThisKernel().isPresent(),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    Attacher old = new Attacher(Tracefs::open, Optional.empty(), Optional.empty());
    List<UserLocation> places =
        new RunningKernel().binaries().locate(UserSelector.parse("c:getppid"));
    try (LoadedProgram program = load(ProgramType.KPROBE, countOwn(counter()))) {
      Attachment entry = old.uprobe(places, program);
      assertThat(entry.description()).contains("uprobe_events ply_");
      countsWhileEnabled(entry);
      counter().clear();
      countsWhileEnabled(old.uretprobe(places, program));
      counter().clear();
      countsWhileEnabled(attacher.uprobe(places, program));
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
    return attacher.tracepoint(
        new TracepointSelector.Event(format.category(), format.event()), format.id(), program);
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
