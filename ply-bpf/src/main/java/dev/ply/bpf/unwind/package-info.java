/**
 * Unwinding of user stacks by tables: rows that say where a frame's caller is, and the walk over
 * them. What reads the rows from files is in ply-kernel.
 */
@NullMarked
package dev.ply.bpf.unwind;

import org.jspecify.annotations.NullMarked;
