package dev.ply.bpf.simulate;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.map.MapStore;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.AttachedSite;
import dev.ply.target.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The virtual machine as a machine for traces. Programs run on the caller's thread. */
final class VirtualKernel implements Machine {
  private static final long BOOTED_NANOS = 1_000_000_000L;

  private final BpfObject object;
  private final Target target;
  private final int cpus;
  private final VirtualMachine vm;
  private final Consumer<VirtualKernel> onClose;
  private List<ProbeProgram> attached = List.of();

  /** The addresses whose watchpoints are detached. */
  private final Set<Long> unwatched = new HashSet<>();

  private long nanos = BOOTED_NANOS;

  /** Creates a kernel with a machine that has the maps of the object. */
  VirtualKernel(
      BpfObject object,
      Target target,
      int cpus,
      VirtualMachine vm,
      Consumer<VirtualKernel> onClose) {
    this.object = object;
    this.target = target;
    this.cpus = cpus;
    this.vm = vm;
    this.onClose = onClose;
    object.programs().forEach(program -> vm.prepare(program.program()));
  }

  /** Runs all attached programs of the firing's site. */
  synchronized void fire(Firing firing) {
    for (ProbeProgram program : withIterators()) {
      OptionalLong cookie = cookie(program, firing);
      if (cookie.isPresent()) {
        ContextBuilder context =
            new ContextBuilder(
                target, program.program().type(), program.program().contextSize(), firing);
        Circumstances who = firing.circumstances();
        run(
            program,
            context.bytes(),
            new Task(
                new Task.Identity(who.pid(), who.tid(), who.uid(), who.gid(), who.comm())
                    .withTaskStruct(who.task())
                    .in(who.namespaced())
                    .in(who.cgroup()),
                who.cpu(),
                nanos,
                context.memory(),
                new Task.Stacks(who.stack(), who.userStack()),
                new Task.Attachment(cookie.getAsLong(), 0, 0)));
      }
    }
    // A duration of zero.
    nanos += 1_000;
  }

  /** Returns the programs that a firing can run: the machine has no objects of its own. */
  private List<ProbeProgram> withIterators() {
    return Stream.concat(
            attached.stream(), object.programs().stream().filter(ProbeProgram::iterates))
        .toList();
  }

  /** Returns the cookie of the program's site that is hit; empty if none is. */
  private OptionalLong cookie(ProbeProgram program, Firing firing) {
    for (AttachSpec spec : program.specs()) {
      if (spec instanceof AttachSpec.Watchpoint watchpoint
          && unwatched.contains(watchpoint.address())) {
        continue;
      }
      for (int i = 0; i < spec.sites().size(); i++) {
        if (FiredSite.isAt(firing.point(), spec, spec.sites().get(i))) {
          return OptionalLong.of(spec.cookie(i));
        }
      }
    }
    return OptionalLong.empty();
  }

  @Override
  public synchronized long now() {
    return nanos;
  }

  /** Advances the clock, running timers that are due. */
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

  /** A timer on a range of CPUs. */
  private record Timer(ProbeProgram program, long period, int firstCpu, int lastCpu) {}

  private List<Timer> timers() {
    List<Timer> timers = new ArrayList<>();
    for (ProbeProgram program : attached) {
      for (AttachSpec spec : program.specs()) {
        if (spec instanceof AttachSpec.PerfTimer timer) {
          timers.add(timer(program, timer));
        }
      }
    }
    return timers;
  }

  private Timer timer(ProbeProgram program, AttachSpec.PerfTimer spec) {
    long period = spec.rate().period().toNanos();
    if (spec.cpus() instanceof AttachSpec.Cpus.Online) {
      return new Timer(program, period, 0, cpus - 1);
    }
    int cpu = spec.cpus() instanceof AttachSpec.Cpus.One one ? one.number() : 0;
    return new Timer(program, period, cpu, cpu);
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
    programs.stream().flatMap(program -> program.specs().stream()).forEach(this::requireCpu);
    attached = List.copyOf(programs);
    unwatched.clear();
    return List.of();
  }

  @Override
  public synchronized List<AttachedSite> attachments() {
    return attached.stream()
        .flatMap(ProbeProgram::sites)
        .map(site -> new AttachedSite(site.definition(), site.mechanism(), site.reason()))
        .toList();
  }

  private void requireCpu(AttachSpec spec) {
    if (spec instanceof AttachSpec.PerfTimer timer
        && timer.cpus() instanceof AttachSpec.Cpus.One one
        && one.number() >= cpus) {
      throw new IllegalArgumentException(
          timer.site().definition() + ": the simulated machine has CPUs 0 to " + (cpus - 1));
    }
  }

  @Override
  public synchronized void detach() {
    attached = List.of();
  }

  @Override
  public synchronized void unwatch(long address) {
    unwatched.add(address);
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
  public synchronized Optional<ByteBuffer> value(BpfMap map, int key) {
    ByteOrder order = target.architecture().byteOrder();
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).order(order).putInt(0, key).array();
    return vm.map(map.name()).lookup(bytes).map(values -> buffer(values.get(0)));
  }

  @Override
  public synchronized void clear(BpfMap map) {
    vm.map(map.name()).clear();
  }

  @Override
  public synchronized void zero(BpfMap map, Predicate<ByteBuffer> keys) {
    MapStore store = vm.map(map.name());
    store.forEach(
        (key, values) -> {
          if (keys.test(buffer(key))) {
            store.update(key, Collections.nCopies(values.size(), new byte[map.slotSize()]));
          }
        });
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
  public synchronized void update(BpfMap map, byte[] key, byte[] value) {
    vm.map(map.name()).update(key, List.of(value));
  }

  @Override
  public synchronized int poll(Duration timeout, RecordHandler records) {
    if (object.map(BpfObject.EVENTS).isEmpty()) {
      return 0;
    }
    Consumer<byte[]> reader = record -> records.record(buffer(record), 0, record.length);
    int packets = 0;
    if (object.map(BpfObject.PACKETS).isPresent()) {
      for (int cpu = 0; cpu < cpus; cpu++) {
        packets += vm.perfEvents(BpfObject.PACKETS).consume(cpu, reader);
      }
    }
    return packets + vm.ringBuffer(BpfObject.EVENTS).consume(reader);
  }

  @Override
  public boolean hasFiles() {
    return false;
  }

  /** The simulated machine has no files. */
  @Override
  public byte[] readFile(String path, int limit) throws IOException {
    throw new NoSuchFileException(path);
  }

  @Override
  public void wakeUp() {}

  @Override
  public void close() {
    detach();
    onClose.accept(this);
  }
}
