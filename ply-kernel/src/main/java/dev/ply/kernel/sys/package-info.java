/**
 * Syscalls through JNA, their structures in native memory, and CPU sets. No other package imports
 * JNA. Calls either return an {@link dev.ply.name.Errno} where failure is expected, or throw a
 * {@link dev.ply.kernel.error.KernelException}.
 *
 * <p>More than 25 files, because each kind of object in the kernel has one, and JNA stays in here.
 */
@NullMarked
package dev.ply.kernel.sys;

import org.jspecify.annotations.NullMarked;
