/**
 * Traces without a kernel: a {@link dev.ply.bpf.simulate.SimulatedTracer} runs the bytecode on the
 * virtual machine, and its user fires probes. For unit tests of traces, and to try scripts where
 * tracing is impossible.
 */
@NullMarked
package dev.ply.bpf.simulate;

import org.jspecify.annotations.NullMarked;
