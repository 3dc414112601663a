package dev.ply.kernel;

import dev.ply.TraceOptions;
import dev.ply.bpf.encoding.EncodedProgram;
import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.machine.RunningScript;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.session.PinnedLayout;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.kernel.attach.AttachDiagnosis;
import dev.ply.kernel.attach.AttachReport;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.attach.AttachmentSet;
import dev.ply.kernel.attach.PinnedLinks;
import dev.ply.kernel.attach.ProgramAttacher;
import dev.ply.kernel.attach.RemovedLinks;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.error.RefusalReasons;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.kernel.learn.ProcessLearner;
import dev.ply.kernel.load.AttachTarget;
import dev.ply.kernel.load.CloseAll;
import dev.ply.kernel.load.EntryHandler;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.load.PinnedMaps;
import dev.ply.kernel.load.ProgramCosts;
import dev.ply.kernel.process.ScriptGroup;
import dev.ply.kernel.ring.OutputRings;
import dev.ply.kernel.ring.RingBuffer;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath;
import dev.ply.name.Errno;
import dev.ply.result.AttachedSite;
import dev.ply.result.CostMeter;
import dev.ply.target.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The loaded maps and programs of one script, and their attachments. */
final class KernelMachine implements Machine {
  /** The CPU time for files of other users than root that a script prints. */
  private static final Duration READING = Duration.ofSeconds(3);

  /** The memory for such a file, which is not kept. */
  private static final long READING_BYTES = 1 << 24;

  private final Map<String, LoadedMap> maps = new LinkedHashMap<>();
  private final IdentityHashMap<ProbeProgram, LoadedProgram> programs = new IdentityHashMap<>();
  private final AttachmentSet attachments = new AttachmentSet();
  private final ReadBudget files = ReadBudget.of(READING, READING_BYTES);
  private final Target target;
  private final Attacher attacher;
  private final Optional<Path> pins;
  private final Optional<PinnedLinks> links;
  private Optional<RingBuffer> events = Optional.empty();
  private Optional<OutputRings> packets = Optional.empty();
  private Optional<ProcessLearner> learner = Optional.empty();
  private Optional<Opened> opened = Optional.empty();
  private volatile List<AttachedSite> attached = List.of();

  /** Attachments that are open and not enabled. */
  private record Opened(ProgramAttacher attaching, AttachReport report) {}

  private KernelMachine(Target target, Attacher attacher, TraceOptions options) {
    this.target = target;
    this.attacher = attacher;
    this.pins = options.pins();
    this.links = options.staysAttached() ? pins.map(PinnedLinks::new) : Optional.empty();
  }

  /**
   * Creates the maps, or takes up those that are pinned, and loads the programs; if that throws,
   * everything is released.
   */
  static KernelMachine load(
      BpfObject object, Target target, Attacher attacher, TraceOptions options) {
    KernelMachine machine = new KernelMachine(target, attacher, options);
    try {
      machine.createMaps(object);
      machine.learn(object);
      for (ProbeProgram program : object.programs()) {
        machine.loadEarly(program);
      }
      return machine;
    } catch (RuntimeException | Error e) {
      closeAfter(e, machine::close);
      if (e instanceof RuntimeException refusal) {
        throw withReasons(refusal);
      }
      throw e;
    }
  }

  /** Releases something; what that throws does not replace the reason for it. */
  private static void closeAfter(Throwable reason, Runnable closing) {
    try {
      closing.run();
    } catch (RuntimeException | Error e) {
      if (e != reason) {
        reason.addSuppressed(e);
      }
    }
  }

  /**
   * Finding the reasons opens files, which is impossible at the limit of descriptors until some are
   * closed.
   */
  private static RuntimeException withReasons(RuntimeException failure) {
    return failure instanceof KernelException refusal && refusal.errno() == Errno.EMFILE
        ? RefusalReasons.explained(refusal)
        : failure;
  }

  private void createMaps(BpfObject object) {
    try {
      Optional<PinnedMaps> pinned = pins.map(path -> PinnedMaps.open(path, layout(object)));
      for (BpfMap map : object.maps()) {
        maps.put(
            map.name(),
            pinned.isPresent() && pinned.get().holds(map)
                ? pinned.get().map(map)
                : LoadedMap.create(map));
      }
      events = object.map(BpfObject.EVENTS).map(map -> RingBuffer.open(loaded(map.name())));
      packets = object.map(BpfObject.PACKETS).map(map -> OutputRings.open(loaded(map.name())));
    } catch (KernelException refusal) {
      throw refusal.errno() == Errno.EMFILE ? refusal : RefusalReasons.explained(refusal);
    }
  }

  /** Begins to read the unwind tables that the programs use. */
  private void learn(BpfObject object) {
    learner =
        object
            .map(UnwindMaps.MEMORY)
            .map(
                tables ->
                    new ProcessLearner(
                        loaded(UnwindMaps.PROCESSES),
                        loaded(tables.name()),
                        loaded(UnwindMaps.WANTED)));
    learner.ifPresent(reading -> reading.start(object.unwound()));
  }

  private PinnedLayout layout(BpfObject object) {
    return links.isPresent() ? PinnedLayout.ofAttached(object) : PinnedLayout.of(object);
  }

  private LoadedMap loaded(String name) {
    LoadedMap map = maps.get(name);
    if (map == null) {
      throw new IllegalArgumentException("no map \"" + name + "\" in this object");
    }
    return map;
  }

  private LoadedProgram loaded(ProbeProgram program) {
    LoadedProgram loaded = programs.get(program);
    if (loaded == null) {
      throw new IllegalArgumentException("no such program in this object: " + program.title());
    }
    return loaded;
  }

  /** Loads a program; if it has an alternative to attach, a refusal is reported later. */
  private void loadEarly(ProbeProgram program) {
    try {
      LoadedProgram unused = loadedOrLoad(program);
    } catch (KernelException | VerifierRejection e) {
      if (program.next().isEmpty()) {
        throw AttachDiagnosis.explain(program.specs().get(0), target, e);
      }
      LoadedProgram unused = loadedOrLoad(program.next().get());
    }
  }

  /** Returns the loaded program; loads it if necessary. */
  private LoadedProgram loadedOrLoad(ProbeProgram program) {
    LoadedProgram loaded = programs.get(program);
    if (loaded == null) {
      InstructionEncoder encoder =
          new InstructionEncoder(
              target.architecture().byteOrder(), name -> loaded(name).descriptor());
      EncodedProgram code = encoder.encode(program.program().code());
      loaded =
          LoadedProgram.load(
              program.program().name(),
              program.program().type(),
              AttachTarget.of(program.specs().get(0)),
              code);
      programs.put(program, loaded);
    }
    return loaded;
  }

  @Override
  public void run(ProbeProgram program) {
    if (program.iterates()) {
      explained(program, loaded(program)::iterate);
    } else {
      int unused = loaded(program).testRun();
    }
  }

  private void explained(ProbeProgram program, Runnable iterating) {
    try {
      iterating.run();
    } catch (KernelException e) {
      throw AttachDiagnosis.explain(program.specs().get(0), target, e);
    }
  }

  @Override
  public Duration measure(ProbeProgram program, int times) {
    return loaded(program).measure(times);
  }

  private AttachReport newReport() {
    return new AttachReport(target, KernelFeatures.ofThisKernel()::missing);
  }

  @Override
  public synchronized void open(List<ProbeProgram> programs) {
    learner.ifPresent(ProcessLearner::awaitSelected);
    for (ProbeProgram program : programs) {
      if (program.iterates()) {
        explained(program, loaded(program)::requireIterable);
      }
    }
    List<ProbeProgram> attached = programs.stream().filter(program -> !program.iterates()).toList();
    AttachReport report = newReport();
    ProgramAttacher attaching =
        new ProgramAttacher(target, attacher, this::loadedOrLoad, attachments, report);
    opened = Optional.of(new Opened(attaching, report));
    orDetach(() -> attaching.open(attached));
  }

  @Override
  public synchronized List<Diagnostic> attach(List<ProbeProgram> programs) {
    if (isAttached()) {
      AttachReport report = newReport();
      links.orElseThrow().open(programs, attachments, report);
      attached = report.attached();
      return List.of();
    }
    Opened own = opened.orElseThrow(() -> new IllegalStateException("the probes are not open"));
    List<Diagnostic> notes = new ArrayList<>();
    orDetach(
        () -> {
          notes.addAll(own.attaching().enable());
          links.ifPresent(pinned -> own.attaching().pin(pinned, programs));
        });
    attached = own.report().attached();
    return notes;
  }

  private void orDetach(Runnable attaching) {
    try {
      attaching.run();
    } catch (RuntimeException | Error e) {
      // Closing alone would wait for running programs, one attachment after the other.
      closeAfter(e, attachments::detach);
      closeAfter(e, attachments::close);
      if (e instanceof RuntimeException refusal) {
        throw withReasons(refusal);
      }
      throw e;
    }
  }

  @Override
  public List<AttachedSite> attachments() {
    return attached;
  }

  @Override
  public synchronized long missedRuns() {
    return attachments.missedRuns().values().stream().mapToLong(Long::longValue).sum()
        + programs.values().stream().mapToLong(LoadedProgram::missedRuns).sum();
  }

  @Override
  public boolean isAttached() {
    return links.filter(PinnedLinks::exist).isPresent();
  }

  @Override
  public synchronized Map<String, Long> missedRunsByPoint() {
    Map<String, Long> missed = new LinkedHashMap<>();
    IdentityHashMap<AttachSpec, Long> ofSpecs = attachments.missedRuns();
    programs.forEach(
        (program, loaded) -> {
          for (AttachSpec spec : program.specs()) {
            long count = ofSpecs.getOrDefault(spec, 0L) + loaded.missedRuns();
            spec.sites().forEach(site -> missed.merge(site.definition(), count, Long::sum));
          }
        });
    return missed;
  }

  @Override
  public synchronized Optional<CostMeter> measureCost() {
    List<ProgramCosts.Probed> probed = new ArrayList<>();
    programs.forEach(
        (program, loaded) -> {
          List<AttachSite> sites = program.sites().toList();
          if (program.own().isEmpty() && !program.iterates() && !sites.isEmpty()) {
            List<String> points = sites.stream().map(AttachSite::definition).distinct().toList();
            probed.add(new ProgramCosts.Probed(loaded, points, sites.get(0).mechanism()));
          }
        });
    return ProgramCosts.begin(probed);
  }

  @Override
  public synchronized void detach() {
    Optional<RemovedLinks> removed = links.map(PinnedLinks::remove);
    attachments.detach();
    removed.ifPresent(RemovedLinks::awaitDetached);
  }

  @Override
  public synchronized void unwatch(long address) {
    attachments.detach(
        spec ->
            spec instanceof AttachSpec.Watchpoint watchpoint && watchpoint.address() == address);
  }

  @Override
  public synchronized void leave() {
    attachments.detach();
  }

  @Override
  public void read(BpfMap map, EntryHandler handler) {
    loaded(map.name()).forEach(handler::entry);
  }

  @Override
  public Optional<ByteBuffer> value(BpfMap map, int key) {
    ByteOrder order = ByteOrder.nativeOrder();
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).order(order).putInt(0, key).array();
    return loaded(map.name()).lookup(bytes).map(values -> values.get(0));
  }

  @Override
  public void clear(BpfMap map) {
    loaded(map.name()).clear();
  }

  @Override
  public void zero(BpfMap map, Predicate<ByteBuffer> keys) {
    loaded(map.name()).zeroValues(keys);
  }

  @Override
  public Optional<List<ByteBuffer>> take(BpfMap map, ByteBuffer key) {
    byte[] bytes = new byte[key.capacity()];
    key.get(0, bytes);
    return loaded(map.name()).take(bytes);
  }

  @Override
  public void update(BpfMap map, byte[] key, byte[] value) {
    try {
      loaded(map.name()).update(key, value);
    } catch (KernelException refusal) {
      if (refusal.errno() == Errno.E2BIG) {
        throw new IllegalStateException(
            "map \"" + map.name() + "\" is full: it holds " + map.maxEntries() + " entries",
            refusal);
      }
      throw refusal;
    }
  }

  @Override
  public int poll(Duration timeout, RecordHandler records) {
    int first = packets.map(rings -> rings.poll(records)).orElse(0);
    Duration left = first > 0 ? Duration.ZERO : timeout;
    return first + (events.isPresent() ? events.get().poll(left, records) : 0);
  }

  @Override
  public byte[] readFile(String path, int limit) throws IOException {
    try (UntrustedFile file =
        UntrustedFile.open(Path.of(path), UntrustedPath.Links.FOLLOWED, files)) {
      byte[] start = file.readStart(limit);
      file.allowance().release();
      return start;
    } catch (InvalidPathException e) {
      throw new NoSuchFileException(path);
    }
  }

  @Override
  public RunningScript start(String script, List<String> parameters) throws IOException {
    return ScriptGroup.start(script, parameters);
  }

  @Override
  public void readTables() {
    learner.ifPresent(ProcessLearner::wakeUp);
  }

  @Override
  public void wakeUp() {
    events.ifPresent(RingBuffer::wakeUp);
  }

  @Override
  public synchronized void close() {
    List<AutoCloseable> owned = new ArrayList<>();
    owned.add(attachments);
    learner.ifPresent(owned::add);
    owned.addAll(programs.values());
    events.ifPresent(owned::add);
    packets.ifPresent(owned::add);
    owned.addAll(maps.values());
    CloseAll.of(owned);
  }
}
