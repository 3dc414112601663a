/** Traces on the simulated tracer. */
@NullMarked
package dev.ply.bpf.simulate;

import org.jspecify.annotations.NullMarked;
