package dev.ply.kernel;

import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.ir.Script;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.tracefs.Tracefs;
import java.util.List;

/**
 * Traces the running kernel. Needs Linux 5.10 and the capabilities CAP_BPF and CAP_PERFMON, and for
 * tracepoints by name the right to read tracefs; root has all of them.
 */
public final class KernelTracer implements Tracer {
  private final MachineTracer tracer;

  private KernelTracer(CompilerOptions options) {
    RunningKernel target = new RunningKernel();
    Attacher attacher = new Attacher(Tracefs::open);
    this.tracer =
        new MachineTracer(
            target,
            options,
            object -> KernelMachine.load(object, target, attacher),
            MachineTracer.Reading.BY_THREAD);
  }

  /**
   * Gets ready to call the kernel, which takes some ten milliseconds the first time in a process. A
   * program that is in a hurry may have another thread do so while it parses.
   */
  public static void warmUp() {
    try {
      int unused = SystemCalls.pageSize();
    } catch (LinkageError e) {
      // Whoever calls the kernel next is told.
      return;
    }
  }

  /**
   * Opens the running kernel for tracing.
   *
   * @throws MissingPrivilegesException if this process may not trace, or this is no kernel to trace
   */
  public static KernelTracer open() {
    return open(CompilerOptions.DEFAULT);
  }

  /** Opens the running kernel for tracing, with limits of one's own. */
  public static KernelTracer open(CompilerOptions options) {
    List<String> missing = Privileges.missing();
    if (!missing.isEmpty()) {
      throw new MissingPrivilegesException(missing);
    }
    return new KernelTracer(options);
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
  public void close() {
    tracer.close();
  }
}
