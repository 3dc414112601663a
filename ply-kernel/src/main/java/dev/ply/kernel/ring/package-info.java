/**
 * The BPF ring buffer, read in place: programs write records into memory that this process maps,
 * and a handler sees each where it lies.
 */
@NullMarked
package dev.ply.kernel.ring;

import org.jspecify.annotations.NullMarked;
