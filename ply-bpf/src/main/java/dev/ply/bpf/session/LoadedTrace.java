package dev.ply.bpf.session;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A trace that a machine has loaded. */
final class LoadedTrace implements PreparedTrace {
  private final CompiledTrace compiled;
  private final Machine machine;
  private final MachineTracer.Reading reading;
  private final Consumer<LoadedTrace> onClose;
  private TraceOutput out = TraceOutput.NONE;
  private Optional<TraceSession> session = Optional.empty();
  private boolean closed;

  LoadedTrace(
      CompiledTrace compiled,
      Machine machine,
      MachineTracer.Reading reading,
      Consumer<LoadedTrace> onClose) {
    this.compiled = compiled;
    this.machine = machine;
    this.reading = reading;
    this.onClose = onClose;
  }

  @Override
  public String disassembly() {
    StringBuilder text = new StringBuilder();
    for (ProbeProgram program : compiled.object().programs()) {
      text.append(program.title()).append('\n');
      text.append(Disassembler.listing(program.program().code()));
    }
    return text.toString();
  }

  @Override
  public List<Diagnostic> warnings() {
    return compiled.script().warnings();
  }

  @Override
  public PreparedTrace writeTo(OutputStream stream) {
    return write(new TraceOutput(stream, false));
  }

  @Override
  public PreparedTrace writeRaw(OutputStream stream) {
    return write(new TraceOutput(stream, true));
  }

  private synchronized PreparedTrace write(TraceOutput newOut) {
    out = newOut;
    return this;
  }

  @Override
  public synchronized Session start() {
    if (closed || session.isPresent()) {
      throw new IllegalStateException("a prepared trace can be started once, before it is closed");
    }
    TraceSession started = new TraceSession(compiled, machine, reading, out, this::close);
    session = Optional.of(started);
    try {
      started.start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    return started;
  }

  synchronized void deliverEvents() {
    if (!closed) {
      session.ifPresent(TraceSession::takeEvents);
    }
  }

  @Override
  public void close() {
    Optional<TraceSession> running;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      running = session;
    }
    try {
      running.ifPresent(TraceSession::halt);
    } finally {
      machine.close();
      onClose.accept(this);
    }
  }
}
