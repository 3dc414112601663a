/** The capabilities of a machine: its probes, its features, a test of what tracing needs. */
@NullMarked
package dev.ply.cli.info;

import org.jspecify.annotations.NullMarked;
