package dev.ply.kernel;

import dev.ply.Session;
import dev.ply.analysis.ProbeSite;
import dev.ply.bpf.object.AttachPlan;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.plan.SystemCallPlan;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.KernelSelector;
import dev.ply.ir.TracepointSelector;
import dev.ply.ir.UserSelector;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.attach.Attachment;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UsdtProbe;
import dev.ply.target.UserLocation;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Attaches programs as planned, and otherwise where the kernel refuses. What can be made ready
 * before it runs is, by {@link #open}; the rest runs as soon as {@link #link} makes it.
 */
final class ProgramAttacher {
  private static final String BEHIND_START = ", and behind the function's start less than at it";

  private final Target target;
  private final Attacher attacher;
  private final Function<ProbeProgram, LoadedProgram> loader;
  private final AttachmentSet attachments;
  private final AttachReport report;
  private final List<ProbeProgram> toLink = new ArrayList<>();
  private final List<ProbeSite> sites = new ArrayList<>();
  private final IdentityHashMap<ProbeSite, AttachPlan> attached = new IdentityHashMap<>();

  ProgramAttacher(
      Target target,
      Attacher attacher,
      Function<ProbeProgram, LoadedProgram> loader,
      AttachmentSet attachments,
      AttachReport report) {
    this.target = target;
    this.attacher = attacher;
    this.loader = loader;
    this.attachments = attachments;
    this.report = report;
  }

  /** Makes a program ready to run, as far as that is possible. */
  void open(ProbeProgram program) {
    sites.addAll(program.sites());
    if (program.isAt(AttachPoint.RawTracepoint.class)) {
      toLink.add(program);
      return;
    }
    switch (program.plan().mechanism()) {
      case KPROBE_MULTI, RAW_SYSCALLS, RAW_TRACEPOINT, FENTRY, FENTRY_SYSCALL ->
          toLink.add(program);
      case KPROBE, KPROBE_EVENTS, TRACEPOINT, DIRECT -> {
        for (int i = 0; i < program.sites().size(); i++) {
          open(program, i);
        }
      }
    }
  }

  private void open(ProbeProgram program, int index) {
    ProbeSite site = program.sites().get(index);
    AttachDiagnosis.checkOffset(site, target)
        .ifPresent(
            fault -> {
              throw fault;
            });
    try {
      attachments.add(open(program, site.point(), program.cookie(index)));
      attached(program, site);
    } catch (RuntimeException e) {
      report.refused(site, e);
    }
  }

  private void attached(ProbeProgram program, ProbeSite site) {
    report.attached(site);
    attached.put(site, program.plan());
  }

  /** Has the programs run that cannot be made ready before. */
  void link() {
    for (ProbeProgram program : toLink) {
      switch (program.plan().mechanism()) {
        case KPROBE_MULTI -> linkMulti(program);
        case RAW_SYSCALLS -> linkSystemCalls(program);
        case RAW_TRACEPOINT, FENTRY, FENTRY_SYSCALL, DIRECT -> linkEach(program);
        case KPROBE, KPROBE_EVENTS, TRACEPOINT -> throw new IllegalStateException();
      }
    }
  }

  private void linkMulti(ProbeProgram program) {
    boolean atReturn = program.isAt(AttachPoint.Kretprobe.class);
    List<String> functions = new ArrayList<>(program.sites().size());
    for (ProbeSite site : program.sites()) {
      functions.add(function(site.point()).name());
    }
    Attachment link =
        attacher.kprobeMulti(functions, program.cookies(), atReturn, loader.apply(program));
    try {
      enable(link);
      program.sites().forEach(site -> attached(program, site));
    } catch (KernelException e) {
      ProbeProgram next = next(program, e, program.sites().get(0));
      for (int i = 0; i < next.sites().size(); i++) {
        openAndEnable(next, i);
      }
    }
  }

  private void linkSystemCalls(ProbeProgram program) {
    String event = SystemCallPlan.endOf(program.sites().get(0).point()).orElseThrow().event();
    LoadedProgram loaded = loader.apply(program);
    enable(
        program.plan().binding().isPresent()
            ? attacher.bound("raw tracepoint " + event, loaded)
            : attacher.rawTracepoint(event, loaded));
    program.sites().forEach(site -> attached(program, site));
  }

  private void linkEach(ProbeProgram program) {
    for (int i = 0; i < program.sites().size(); i++) {
      ProbeSite site = program.sites().get(i);
      try {
        enable(link(program, site.point(), program.cookie(i)));
        attached(program, site);
      } catch (KernelException | VerifierRejection e) {
        refused(program, i, e);
      }
    }
  }

  private Attachment link(ProbeProgram program, AttachPoint point, int cookie) {
    LoadedProgram loaded = loader.apply(program);
    if (point instanceof AttachPoint.RawTracepoint raw) {
      return attacher.rawTracepoint(raw.event(), loaded);
    }
    return point instanceof AttachPoint.Tracepoint tracepoint
            && program.plan().mechanism() == Mechanism.RAW_TRACEPOINT
        ? attacher.rawTracepoint(
            ((TracepointSelector.Event) tracepoint.place()).event(), loaded, cookie)
        : attacher.bound(point.definition(), loaded);
  }

  /** Attaches otherwise, or leaves the place out if it is one of a pattern's. */
  private void refused(ProbeProgram program, int index, RuntimeException refusal) {
    Optional<ProbeProgram> next = program.plan().next();
    if (next.isEmpty()) {
      report.refused(program.sites().get(index), refusal);
    } else if (next.get().plan().mechanism() == Mechanism.RAW_SYSCALLS) {
      linkSystemCalls(next.get());
    } else {
      openAndEnable(next.get(), index);
    }
  }

  private void enable(Attachment link) {
    link.enable();
    attachments.add(link);
  }

  private void openAndEnable(ProbeProgram program, int index) {
    open(program, index);
    attachments.enable();
  }

  /** Returns what to attach instead, or throws what to say about the refusal. */
  private ProbeProgram next(ProbeProgram program, KernelException refusal, ProbeSite site) {
    Optional<ProbeProgram> next = program.plan().next();
    if (next.isEmpty()) {
      throw AttachDiagnosis.explain(site, target, refusal);
    }
    return next.get();
  }

  /** Returns what is attached, in the order of the script. */
  List<Session.Attached> attached() {
    return sites.stream()
        .filter(attached::containsKey)
        .map(site -> attached(site.point(), Objects.requireNonNull(attached.get(site))))
        .toList();
  }

  private Session.Attached attached(AttachPoint point, AttachPlan plan) {
    String reason = isMoved(point, plan) ? plan.reason() + BEHIND_START : plan.reason();
    return new Session.Attached(point.definition(), plan.mechanism(), reason);
  }

  private boolean isMoved(AttachPoint point, AttachPlan plan) {
    Optional<UserSelector> place =
        point instanceof AttachPoint.Uprobe uprobe
            ? Optional.of(uprobe.place())
            : point instanceof AttachPoint.Uretprobe uretprobe
                ? Optional.of(uretprobe.place())
                : Optional.empty();
    return place.map(at -> !places(at, plan).equals(target.binaries().locate(at))).orElse(false);
  }

  private Attachment open(ProbeProgram program, AttachPoint point, int cookie) {
    LoadedProgram loaded = loader.apply(program);
    if (point instanceof AttachPoint.Tracepoint tracepoint) {
      return tracepoint((TracepointSelector.Event) tracepoint.place(), loaded, cookie);
    }
    if (point instanceof AttachPoint.Kprobe kprobe) {
      return kprobes(program).kprobe(kprobe.place(), loaded, cookie);
    }
    if (point instanceof AttachPoint.Kretprobe kretprobe) {
      return kretprobe.maxActive().isPresent()
          ? attacher.kretprobe(kretprobe.place(), kretprobe.maxActive().getAsInt(), loaded, cookie)
          : kprobes(program).kretprobe(kretprobe.place(), loaded, cookie);
    }
    if (point instanceof AttachPoint.Uprobe uprobe) {
      return attacher.uprobe(places(uprobe.place(), program.plan()), loaded);
    }
    if (point instanceof AttachPoint.Uretprobe uretprobe) {
      return attacher.uretprobe(places(uretprobe.place(), program.plan()), loaded);
    }
    if (point instanceof AttachPoint.Usdt usdt) {
      List<UserLocation> places =
          target.binaries().marks(usdt.place()).stream().map(UsdtProbe::location).toList();
      return attacher.uprobe(places, loaded);
    }
    if (point instanceof AttachPoint.Software software) {
      return attacher.counter(point.definition(), software.event(), loaded);
    }
    if (point instanceof AttachPoint.Hardware hardware) {
      return attacher.counter(point.definition(), hardware.event(), loaded);
    }
    if (point instanceof AttachPoint.Interval interval) {
      return attacher.interval(interval.period(), loaded);
    }
    if (point instanceof AttachPoint.Profile profile) {
      return attacher.profile(profile, loaded);
    }
    throw new IllegalArgumentException(point.definition() + " is not attached but run");
  }

  /** Returns where a program in user space stands. */
  private List<UserLocation> places(UserSelector place, AttachPlan plan) {
    List<UserLocation> found = target.binaries().locate(place);
    return place instanceof UserSelector.Function && !plan.seesInstruction()
        ? found.stream().map(target.binaries()::cheapest).toList()
        : found;
  }

  private Attacher kprobes(ProbeProgram program) {
    return program.plan().mechanism() == Mechanism.KPROBE_EVENTS ? attacher.byTracefs() : attacher;
  }

  private static KernelSelector.Function function(AttachPoint point) {
    KernelSelector place =
        point instanceof AttachPoint.Kretprobe kretprobe
            ? kretprobe.place()
            : ((AttachPoint.Kprobe) point).place();
    return (KernelSelector.Function) place;
  }

  private Attachment tracepoint(TracepointSelector.Event event, LoadedProgram program, int cookie) {
    int id =
        target
            .tracepoints()
            .id(event.category(), event.event())
            .orElseThrow(() -> new UnreadableTargetException("it has gone"));
    return attacher.tracepoint(event, id, program, cookie);
  }
}
