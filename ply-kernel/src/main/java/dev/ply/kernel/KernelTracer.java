package dev.ply.kernel;

import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.TraceOptions;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.ir.Script;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.attach.PinnedLinks;
import dev.ply.kernel.attach.RemovedLinks;
import dev.ply.kernel.load.PinnedMaps;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.target.UnreadableTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Traces the running kernel. Requires Linux 5.10, CAP_BPF and CAP_PERFMON, and read access to
 * tracefs for tracepoints by name; root has all of these.
 */
public final class KernelTracer implements Tracer {
  private final MachineTracer tracer;
  private final Optional<Path> pins;
  private final MemoryBudget memory;

  private KernelTracer(
      RunningKernel target, CompilerOptions compiling, TraceOptions options, MemoryBudget memory) {
    this.memory = memory;
    this.pins = options.pins();
    Attacher attacher = new Attacher(Tracefs::open);
    this.tracer =
        new MachineTracer(
            TraceCompiler.ofKernel(target, compiling),
            object -> KernelMachine.load(object, target, attacher, options),
            MachineTracer.Reading.BY_THREAD,
            options);
  }

  /**
   * Initialises native calls, which takes about ten milliseconds, once per process. Can run on
   * another thread while a script is parsed.
   */
  public static void warmUp() {
    try {
      int unused = SystemCalls.pageSize();
    } catch (UnreadableTargetException e) {
      // Opening a tracer throws it as its reason.
      return;
    }
  }

  /**
   * Opens the running kernel for tracing.
   *
   * @return the tracer, to be closed
   * @throws MissingPrivilegesException if this process lacks privileges, or the kernel BPF; if JNA
   *     finds no directory to unpack its native library in
   */
  public static KernelTracer open() {
    return open(TraceOptions.DEFAULT);
  }

  /**
   * Opens the running kernel for tracing, with options.
   *
   * @param options of all its traces
   * @return the tracer, to be closed
   * @throws MissingPrivilegesException if this process lacks privileges, or the kernel BPF; if JNA
   *     finds no directory to unpack its native library in
   */
  public static KernelTracer open(TraceOptions options) {
    MemoryBudget memory = MemoryBudget.of(options.symbolBytes());
    return open(new RunningKernel(memory), CompilerOptions.of(options), options, memory);
  }

  /**
   * Opens the running kernel for tracing, with compiler options.
   *
   * @param options sizes and optimisations
   * @return the tracer, to be closed
   */
  public static KernelTracer open(CompilerOptions options) {
    MemoryBudget memory = MemoryBudget.ofHeap();
    return open(new RunningKernel(memory), options, TraceOptions.DEFAULT, memory);
  }

  /**
   * Opens the running kernel as a process sees it, with compiler options.
   *
   * @param kernel as this or another process sees it
   * @param options sizes and optimisations
   * @return the tracer, to be closed
   */
  public static KernelTracer open(RunningKernel kernel, CompilerOptions options) {
    // The kernel's own memory may be that of other tracers.
    return open(kernel, options, TraceOptions.DEFAULT, MemoryBudget.of(0));
  }

  private static void requireNativeCalls() {
    try {
      int unused = SystemCalls.pageSize();
    } catch (UnreadableTargetException e) {
      throw new MissingPrivilegesException(List.of(String.valueOf(e.getMessage())));
    }
  }

  private static KernelTracer open(
      RunningKernel kernel, CompilerOptions compiling, TraceOptions options, MemoryBudget memory) {
    List<String> missing = Privileges.missing();
    if (!missing.isEmpty()) {
      throw new MissingPrivilegesException(missing);
    }
    requireNativeCalls();
    return new KernelTracer(kernel, compiling, options, memory);
  }

  @Override
  public PreparedTrace prepare(Script script) {
    return tracer.prepare(script);
  }

  @Override
  public PreparedTrace prepare(List<? extends Probe> probes) {
    return tracer.prepare(probes);
  }

  @Override
  public void unpin() {
    pins.ifPresent(
        directory -> {
          RemovedLinks links = new PinnedLinks(directory).remove();
          PinnedMaps.remove(directory);
          links.awaitUnloaded();
        });
  }

  @Override
  public void close() {
    try {
      tracer.close();
    } finally {
      memory.close();
    }
  }
}
