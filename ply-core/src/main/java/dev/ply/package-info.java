/**
 * The tracer's fluent API: a {@link dev.ply.Probe} defines where and what to trace, a {@link
 * dev.ply.Tracer} runs it, a {@link dev.ply.Session} has the results. Probes and values are
 * immutable and can be shared between threads and sessions.
 */
@NullMarked
package dev.ply;

import org.jspecify.annotations.NullMarked;
