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

  private KernelTracer(RunningKernel target, CompilerOptions compiling, TraceOptions options) {
    this.pins = options.pins();
    Attacher attacher = new Attacher(Tracefs::open);
    this.tracer =
        new MachineTracer(
            new TraceCompiler(target, compiling),
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
    } catch (LinkageError e) {
      // The next native call will fail with the reason.
      return;
    }
  }

  /**
   * Opens the running kernel for tracing.
   *
   * @return the tracer, to be closed
   * @throws MissingPrivilegesException if this process lacks privileges, or the kernel BPF
   */
  public static KernelTracer open() {
    return open(TraceOptions.DEFAULT);
  }

  /**
   * Opens the running kernel for tracing, with options.
   *
   * @param options of all its traces
   * @return the tracer, to be closed
   * @throws MissingPrivilegesException if this process lacks privileges, or the kernel BPF
   */
  public static KernelTracer open(TraceOptions options) {
    return open(new RunningKernel(), CompilerOptions.of(options), options);
  }

  /**
   * Opens the running kernel for tracing, with compiler options.
   *
   * @param options sizes and optimisations
   * @return the tracer, to be closed
   */
  public static KernelTracer open(CompilerOptions options) {
    return open(new RunningKernel(), options);
  }

  /**
   * Opens the running kernel as a process sees it, with compiler options.
   *
   * @param kernel as this or another process sees it
   * @param options sizes and optimisations
   * @return the tracer, to be closed
   */
  public static KernelTracer open(RunningKernel kernel, CompilerOptions options) {
    return open(kernel, options, TraceOptions.DEFAULT);
  }

  private static KernelTracer open(
      RunningKernel kernel, CompilerOptions compiling, TraceOptions options) {
    List<String> missing = Privileges.missing();
    if (!missing.isEmpty()) {
      throw new MissingPrivilegesException(missing);
    }
    return new KernelTracer(kernel, compiling, options);
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
    tracer.close();
  }
}
