package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.Values.tid;
import static dev.ply.Values.time;
import static dev.ply.Values.variable;

import dev.ply.ActionProbe;
import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Variable;
import dev.ply.result.Histogram;

/** How long reads take, by command. The same as {@code scripts/read-latency.ply}. */
public final class ReadLatency {
  /** When a thread began the read that it is in. */
  private static final Variable BEGUN = variable("begun", tid());

  /** Remembers when a read begins. */
  public static final ActionProbe ENTRY = Probe.kprobe("vfs_read").set(BEGUN, time());

  /** The time from there to the read's end; reads that began before the trace are left out. */
  public static final AggregateProbe<Histogram> LATENCY =
      Probe.kretprobe("vfs_read").where(BEGUN.isSet()).by(comm()).quantize(time().minus(BEGUN));

  /** Forgets when the read began, after its time has been counted: probes run in their order. */
  public static final ActionProbe FORGET = Probe.kretprobe("vfs_read").unset(BEGUN);

  private ReadLatency() {}

  /** Traces everything while a command runs, or for a while. */
  public static void main(String... command) {
    Run.trace(command, ENTRY, LATENCY, FORGET);
  }
}
