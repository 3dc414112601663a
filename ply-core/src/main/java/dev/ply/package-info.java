/**
 * The tracer's fluent API: {@link dev.ply.Probe} says where and what to trace, a {@link
 * dev.ply.Tracer} runs it, a {@link dev.ply.Session} holds what was found. Probes and values are
 * immutable and may be shared between threads and sessions.
 */
@NullMarked
package dev.ply;

import org.jspecify.annotations.NullMarked;
