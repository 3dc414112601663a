/**
 * Traces from preparation to results, on any machine: a {@link dev.ply.bpf.session.Machine}
 * executes the programs, everything else (compiling, life cycle, decoding maps and events) happens
 * here, once for kernel and simulation. {@code EventLoop} handles events; {@code EventListeners}
 * delivers those that are records.
 */
@NullMarked
package dev.ply.bpf.session;

import org.jspecify.annotations.NullMarked;
