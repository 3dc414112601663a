/**
 * The executable mappings of all processes over time, from perf events: for stack traces of
 * processes that have exited.
 */
@NullMarked
package dev.ply.kernel.mapping;

import org.jspecify.annotations.NullMarked;
