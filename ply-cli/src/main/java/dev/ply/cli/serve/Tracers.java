package dev.ply.cli.serve;

import dev.ply.Tracer;
import dev.ply.cli.run.TraceRequest;

/** The machine that scripts trace: the running kernel, or a simulated one. */
interface Tracers {
  /** Opens a tracer for a script, to be closed with it. */
  Tracer open(TraceRequest request);

  /** Learns again what the machine has: modules may have been loaded. */
  default void renew() {}
}
