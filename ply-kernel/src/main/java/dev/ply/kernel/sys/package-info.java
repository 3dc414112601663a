/**
 * System calls through JNA, and the structures they take, written by offset into native memory; the
 * CPUs that they are made for. No other package imports JNA. Calls either return an {@link
 * dev.ply.kernel.error.Errno} where failing is part of the protocol, or throw a {@link
 * dev.ply.kernel.error.KernelException}.
 */
@NullMarked
package dev.ply.kernel.sys;

import org.jspecify.annotations.NullMarked;
