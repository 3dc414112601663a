/**
 * Programs and maps in the kernel, each with its owner: loading, reading, closing. They are loaded
 * from {@code dev.ply.bpf.object}, which is pure data. Probe sites are unknown here: see {@code
 * dev.ply.kernel.attach}.
 */
@NullMarked
package dev.ply.kernel.load;

import org.jspecify.annotations.NullMarked;
