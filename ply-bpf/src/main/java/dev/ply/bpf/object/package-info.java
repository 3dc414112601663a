/**
 * The output of the compiler and input of tracers: programs, maps and the layouts of their values,
 * as immutable data that is the same on every machine.
 */
@NullMarked
package dev.ply.bpf.object;

import org.jspecify.annotations.NullMarked;
