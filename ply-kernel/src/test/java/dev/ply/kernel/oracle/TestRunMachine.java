package dev.ply.kernel.oracle;

import dev.ply.bpf.encoding.EncodedProgram;
import dev.ply.bpf.encoding.InstructionEncoder;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.load.AttachTarget;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.ring.RingBuffer;
import dev.ply.probe.AttachPoint;
import dev.ply.result.AttachedSite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.opentest4j.TestAbortedException;

/**
 * A script's maps and programs in the kernel, run when they are told to. All programs are loaded as
 * raw tracepoints, the only kind for tracing that can be test-run: their context is twelve words,
 * which are whatever the program takes them for.
 */
final class TestRunMachine implements Machine {
  /** Words of context that the kernel takes (MAX_BPF_FUNC_ARGS). */
  static final int CONTEXT_WORDS = 12;

  private final Map<String, LoadedMap> maps = new LinkedHashMap<>();
  private final List<LoadedProgram> loaded = new ArrayList<>();
  private final Map<ProbeProgram, LoadedProgram> programs = new LinkedHashMap<>();
  private final Optional<RingBuffer> events;
  private List<ProbeProgram> attached = List.of();

  TestRunMachine(BpfObject object) {
    try {
      for (BpfMap map : object.maps()) {
        maps.put(map.name(), LoadedMap.create(map));
      }
      events = object.map(BpfObject.EVENTS).map(map -> RingBuffer.open(loaded(map.name())));
      InstructionEncoder encoder =
          new InstructionEncoder(ByteOrder.nativeOrder(), name -> loaded(name).descriptor());
      for (ProbeProgram program : object.programs()) {
        EncodedProgram code = encoder.encode(program.program().code());
        LoadedProgram one = load(program, code);
        loaded.add(one);
        programs.put(program, one);
      }
    } catch (RuntimeException e) {
      closeLoaded();
      throw e;
    }
  }

  /** What verifiers cannot follow to its end is no case for a comparison. */
  private static LoadedProgram load(ProbeProgram program, EncodedProgram code) {
    try {
      return LoadedProgram.load(
          program.program().name(), ProgramType.RAW_TRACEPOINT, AttachTarget.ANY, code);
    } catch (VerifierRejection e) {
      throw e.isTooComplex() ? new TestAbortedException("too many paths", e) : e;
    }
  }

  private LoadedMap loaded(String name) {
    LoadedMap map = maps.get(name);
    if (map == null) {
      throw new IllegalArgumentException("no map \"" + name + "\" in this object");
    }
    return map;
  }

  /** Runs all programs on a point. */
  void happen(AttachPoint point, byte[] context) {
    for (ProbeProgram program : attached) {
      if (program.sites().anyMatch(site -> site.definition().equals(point.definition()))) {
        run(program, context);
      }
    }
  }

  /** Runs all programs that a clock runs. */
  void tick() {
    for (ProbeProgram program : attached) {
      if (program.specs().get(0) instanceof AttachSpec.PerfTimer) {
        run(program, new byte[0]);
      }
    }
  }

  private void run(ProbeProgram program, byte[] context) {
    LoadedProgram one = programs.get(program);
    if (one == null) {
      throw new IllegalArgumentException("no such program in this object: " + program.title());
    }
    ByteBuffer bytes =
        ByteBuffer.allocate(CONTEXT_WORDS * Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.put(context, 0, Math.min(context.length, bytes.capacity()));
    long[] words = new long[CONTEXT_WORDS];
    for (int i = 0; i < words.length; i++) {
      words[i] = bytes.getLong(i * Long.BYTES);
    }
    one.testRun(words);
  }

  @Override
  public void run(ProbeProgram program) {
    run(program, new byte[0]);
  }

  @Override
  public List<Diagnostic> attach(List<ProbeProgram> toAttach) {
    attached = List.copyOf(toAttach);
    return List.of();
  }

  @Override
  public List<AttachedSite> attachments() {
    return List.of();
  }

  @Override
  public void detach() {
    attached = List.of();
  }

  @Override
  public void read(BpfMap map, EntryHandler handler) {
    loaded(map.name()).forEach(handler::entry);
  }

  @Override
  public Optional<ByteBuffer> value(BpfMap map, int key) {
    return Optional.empty();
  }

  @Override
  public void zero(BpfMap map, Predicate<ByteBuffer> keys) {
    loaded(map.name()).zeroValues(keys);
  }

  @Override
  public void clear(BpfMap map) {
    loaded(map.name()).clear();
  }

  @Override
  public Optional<List<ByteBuffer>> take(BpfMap map, ByteBuffer key) {
    byte[] bytes = new byte[key.capacity()];
    key.get(0, bytes);
    return loaded(map.name()).take(bytes);
  }

  @Override
  public void update(BpfMap map, byte[] key, byte[] value) {
    loaded(map.name()).update(key, value);
  }

  @Override
  public int poll(Duration timeout, RecordHandler records) {
    return events.isPresent() ? events.get().poll(timeout, records) : 0;
  }

  @Override
  public byte[] readFile(String path, int limit) throws IOException {
    throw new NoSuchFileException(path);
  }

  @Override
  public void wakeUp() {}

  @Override
  public void close() {
    detach();
    events.ifPresent(RingBuffer::close);
    closeLoaded();
  }

  private void closeLoaded() {
    loaded.forEach(LoadedProgram::close);
    maps.values().forEach(LoadedMap::close);
  }
}
