/**
 * Traces without a kernel: a {@link dev.ply.bpf.simulate.SimulatedTracer} runs the real bytecode on
 * the virtual machine, and its user says what happens. For unit tests of traces, and for trying one
 * out where nothing may be traced.
 */
@NullMarked
package dev.ply.bpf.simulate;

import org.jspecify.annotations.NullMarked;
