package dev.ply.examples;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.AttachedSite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A machine whose programs never run: each poll delivers the same record many times, so that what
 * events cost is the cost of handling them.
 */
final class ReplayMachine implements Machine {
  private final ByteBuffer record;
  private final int times;

  ReplayMachine(ByteBuffer record, int times) {
    this.record = record;
    this.times = times;
  }

  @Override
  public int poll(Duration timeout, RecordHandler records) {
    for (int i = 0; i < times; i++) {
      records.record(record, 0, record.limit());
    }
    // Read until there is none.
    return 0;
  }

  @Override
  public void run(ProbeProgram program) {}

  @Override
  public List<Diagnostic> attach(List<ProbeProgram> programs) {
    return List.of();
  }

  @Override
  public List<AttachedSite> attachments() {
    return List.of();
  }

  @Override
  public void detach() {}

  @Override
  public void read(BpfMap map, EntryHandler handler) {}

  @Override
  public void clear(BpfMap map) {}

  @Override
  public void zero(BpfMap map, Predicate<ByteBuffer> keys) {}

  @Override
  public Optional<List<ByteBuffer>> take(BpfMap map, ByteBuffer key) {
    return Optional.empty();
  }

  @Override
  public void update(BpfMap map, byte[] key, byte[] value) {}

  @Override
  public Optional<ByteBuffer> value(BpfMap map, int key) {
    return Optional.empty();
  }

  @Override
  public byte[] readFile(String path, int limit) throws IOException {
    throw new NoSuchFileException(path);
  }

  @Override
  public void wakeUp() {}

  @Override
  public void close() {}
}
