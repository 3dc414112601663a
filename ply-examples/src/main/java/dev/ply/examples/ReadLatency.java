package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.Values.tid;
import static dev.ply.Values.time;
import static dev.ply.Values.variable;

import dev.ply.ActionProbe;
import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Variable;
import dev.ply.table.Histogram;

/** Read latency by command. The same as {@code scripts/read-latency.ply}. */
public final class ReadLatency {
  /** The start time of a thread's current read. */
  private static final Variable BEGUN = variable("begun", tid());

  /** Stores the start time of a read. */
  public static final ActionProbe ENTRY = Probe.kprobe("vfs_read").set(BEGUN, time());

  /** The latency of reads, except for those in flight when the trace starts. */
  public static final AggregateProbe<Histogram> LATENCY =
      Probe.kretprobe("vfs_read").where(BEGUN.isSet()).by(comm()).quantize(time().minus(BEGUN));

  /** Removes the start time, after the latency is recorded: probes run in order. */
  public static final ActionProbe FORGET = Probe.kretprobe("vfs_read").unset(BEGUN);

  private ReadLatency() {}

  /** Traces the machine while a command runs, or for a while. */
  public static void main(String... command) {
    Run.trace(command, ENTRY, LATENCY, FORGET);
  }
}
