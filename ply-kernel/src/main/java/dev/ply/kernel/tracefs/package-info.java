/**
 * The tracing file system: its mount point, the tracepoints it lists, and the probes created
 * through it.
 */
@NullMarked
package dev.ply.kernel.tracefs;

import org.jspecify.annotations.NullMarked;
