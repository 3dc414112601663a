/**
 * What the compiler makes and a tracer loads: programs, maps and the layouts of their values, as
 * immutable data that is the same on every machine.
 */
@NullMarked
package dev.ply.bpf.object;

import org.jspecify.annotations.NullMarked;
