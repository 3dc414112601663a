package dev.ply.cli.serve;

import dev.ply.Tracer;
import dev.ply.cli.run.TraceRequest;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.RunningKernel;
import java.util.Optional;

/** Tracers of the running kernel, which share what is known about it. Thread-safe. */
final class KernelTracers implements Tracers {
  private Optional<RunningKernel> shared = Optional.empty();

  @Override
  public Tracer open(TraceRequest request) {
    return KernelTracer.open(kernel(request), request.sizes());
  }

  private synchronized RunningKernel kernel(TraceRequest request) {
    if (request.hasOwnKernel()) {
      return request.kernel();
    }
    RunningKernel kernel = shared.orElseGet(RunningKernel::new);
    shared = Optional.of(kernel);
    return kernel;
  }

  @Override
  public synchronized void renew() {
    shared = Optional.empty();
  }
}
