package dev.ply.bpf.simulate;

import dev.ply.Session;
import dev.ply.analysis.ProbeSite;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.plan.SystemCallPlan;
import dev.ply.bpf.session.Machine;
import dev.ply.bpf.vm.MapStore;
import dev.ply.bpf.vm.Task;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.ir.AttachPoint;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The virtual machine as something that traces run on. Programs run when they are told to, on the
 * caller's thread.
 */
final class VirtualKernel implements Machine {
  private static final long BOOTED_NANOS = 1_000_000_000L;

  private final BpfObject object;
  private final Target target;
  private final int cpus;
  private final VirtualMachine vm;
  private final Consumer<VirtualKernel> onClose;
  private List<ProbeProgram> attached = List.of();
  private long nanos = BOOTED_NANOS;

  VirtualKernel(BpfObject object, Target target, int cpus, Consumer<VirtualKernel> onClose) {
    this.object = object;
    this.target = target;
    this.cpus = cpus;
    this.vm = new VirtualMachine(object.maps(), cpus);
    this.onClose = onClose;
    object.programs().forEach(program -> vm.prepare(program.program()));
  }

  /** Runs all attached programs on the firing's point. */
  synchronized void fire(Firing firing) {
    for (ProbeProgram program : attached) {
      int site = siteOf(program, firing.point());
      if (site >= 0) {
        ContextBuilder context =
            new ContextBuilder(
                target, program.plan().mechanism(), program.program().contextSize(), firing);
        Firing.Circumstances who = firing.circumstances();
        run(
            program,
            context.bytes(),
            new Task(
                new Task.Identity(who.pid(), who.tid(), who.uid(), who.gid(), who.comm()),
                who.cpu(),
                nanos,
                context.memory(),
                new Task.Stacks(who.stack(), who.userStack()),
                new Task.Attachment(program.cookie(site), 0, 0)));
      }
    }
    // Nothing takes no time at all.
    nanos += 1_000;
  }

  /** Returns which of a program's places is meant, -1 if none. */
  private static int siteOf(ProbeProgram program, AttachPoint point) {
    if (program.plan().mechanism() == Mechanism.RAW_SYSCALLS) {
      // It is called for all system calls, and finds those that it is for.
      Optional<SystemCallPlan.End> end = SystemCallPlan.endOf(point);
      AttachPoint first = program.sites().get(0).point();
      return end.isPresent() && end.equals(SystemCallPlan.endOf(first)) ? 0 : -1;
    }
    for (int i = 0; i < program.sites().size(); i++) {
      if (isSame(program.sites().get(i).point(), point)) {
        return i;
      }
    }
    return -1;
  }

  /** How many calls a kretprobe follows makes no other place of it. */
  private static boolean isSame(AttachPoint one, AttachPoint other) {
    if (one instanceof AttachPoint.Kretprobe returns
        && other instanceof AttachPoint.Kretprobe fired) {
      return returns.place().equals(fired.place());
    }
    return one.equals(other);
  }

  /** Lets time pass, running what is due. */
  synchronized void advance(long duration) {
    long end = nanos + duration;
    while (nanos < end) {
      long start = nanos - BOOTED_NANOS;
      long next = end - BOOTED_NANOS;
      for (Timer timer : timers()) {
        next = Math.min(next, (start / timer.period + 1) * timer.period);
      }
      nanos = next + BOOTED_NANOS;
      for (Timer timer : timers()) {
        if (next % timer.period == 0) {
          tick(timer);
        }
      }
    }
  }

  /** A program that runs at regular times, on the CPUs from the first to the last. */
  private record Timer(ProbeProgram program, long period, int firstCpu, int lastCpu) {}

  private List<Timer> timers() {
    List<Timer> timers = new ArrayList<>();
    for (ProbeProgram program : attached) {
      for (ProbeSite site : program.sites()) {
        if (site.point() instanceof AttachPoint.Interval interval) {
          timers.add(new Timer(program, interval.period().toNanos(), 0, 0));
        } else if (site.point() instanceof AttachPoint.Profile profile) {
          long period = profile.rate().period().toNanos();
          int first = profile.cpu().orElse(0);
          timers.add(new Timer(program, period, first, profile.cpu().orElse(cpus - 1)));
        }
      }
    }
    return timers;
  }

  private void tick(Timer timer) {
    for (int cpu = timer.firstCpu; cpu <= timer.lastCpu; cpu++) {
      run(timer.program, new byte[timer.program.program().contextSize()], idle(cpu));
    }
  }

  private void run(ProbeProgram program, byte[] context, Task task) {
    vm.run(program.program(), context, task);
  }

  private Task idle(int cpu) {
    return Task.of(0, "swapper/" + cpu).at(cpu, nanos);
  }

  @Override
  public synchronized void run(ProbeProgram program) {
    run(program, new byte[program.program().contextSize()], Task.of(2, "ply").at(0, nanos));
  }

  @Override
  public synchronized List<Diagnostic> attach(List<ProbeProgram> programs) {
    programs.stream().flatMap(program -> program.sites().stream()).forEach(this::requireCpu);
    attached = List.copyOf(programs);
    return List.of();
  }

  @Override
  public synchronized List<Session.Attached> attachments() {
    List<Session.Attached> all = new ArrayList<>();
    for (ProbeProgram program : attached) {
      for (ProbeSite site : program.sites()) {
        all.add(
            new Session.Attached(
                site.point().definition(), program.plan().mechanism(), program.plan().reason()));
      }
    }
    return all;
  }

  private void requireCpu(ProbeSite site) {
    if (site.point() instanceof AttachPoint.Profile profile && profile.cpu().orElse(0) >= cpus) {
      throw new IllegalArgumentException(
          profile.definition() + ": the simulated machine has CPUs 0 to " + (cpus - 1));
    }
  }

  @Override
  public long missedRuns() {
    return 0;
  }

  @Override
  public synchronized void detach() {
    attached = List.of();
  }

  @Override
  public synchronized void read(BpfMap map, EntryHandler handler) {
    vm.map(map.name())
        .forEach(
            (key, values) ->
                handler.entry(buffer(key), values.stream().map(this::buffer).toList()));
  }

  private ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(target.architecture().byteOrder());
  }

  @Override
  public synchronized List<Long> stack(BpfMap map, int id) {
    return vm.stackTraces(map.name()).trace(id).orElse(List.of());
  }

  @Override
  public synchronized void clear(BpfMap map) {
    vm.map(map.name()).clear();
  }

  @Override
  public synchronized Optional<List<ByteBuffer>> take(BpfMap map, ByteBuffer key) {
    byte[] bytes = new byte[key.capacity()];
    key.get(0, bytes);
    MapStore store = vm.map(map.name());
    Optional<List<ByteBuffer>> last =
        store.lookup(bytes).map(values -> values.stream().map(this::buffer).toList());
    return store.delete(bytes) ? last : Optional.empty();
  }

  @Override
  public synchronized int poll(Duration timeout, RecordHandler records) {
    return object.map(BpfObject.EVENTS).isEmpty()
        ? 0
        : vm.ringBuffer(BpfObject.EVENTS)
            .consume(record -> records.record(buffer(record), 0, record.length));
  }

  @Override
  public void wakeUp() {}

  @Override
  public void close() {
    detach();
    onClose.accept(this);
  }
}
