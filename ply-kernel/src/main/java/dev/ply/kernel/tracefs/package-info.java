/**
 * The kernel's tracing file system: where it is, the tracepoints it lists, and the probes that are
 * made by writing to it.
 */
@NullMarked
package dev.ply.kernel.tracefs;

import org.jspecify.annotations.NullMarked;
