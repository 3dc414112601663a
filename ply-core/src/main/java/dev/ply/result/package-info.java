/**
 * The results of a trace as a stream: what its programs and the tracer report, in order, and the
 * contract of those who write it.
 */
@NullMarked
package dev.ply.result;

import org.jspecify.annotations.NullMarked;
