/**
 * Traces from preparation to their end, on any machine: a {@link dev.ply.bpf.machine.Machine}
 * executes the programs, everything else (compiling, life cycle, reading maps and events) is done
 * once for kernel and simulation. {@code EventLoop} handles events.
 */
@NullMarked
package dev.ply.bpf.session;

import org.jspecify.annotations.NullMarked;
