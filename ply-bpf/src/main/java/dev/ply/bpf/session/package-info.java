/**
 * Traces from preparation to results, whatever runs them: a {@link dev.ply.bpf.session.Machine}
 * executes the programs, everything else (compiling, life cycle, decoding maps and events) happens
 * here once for the kernel and for simulation.
 */
@NullMarked
package dev.ply.bpf.session;

import org.jspecify.annotations.NullMarked;
