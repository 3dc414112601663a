/**
 * Maps of a running trace, read as tables: accumulators are merged, what was cleared is subtracted,
 * stack traces are looked up.
 */
@NullMarked
package dev.ply.bpf.table;

import org.jspecify.annotations.NullMarked;
