/**
 * Programs and maps in the kernel, each with its owner: loading, reading, closing. What is loaded
 * is pure data of {@code dev.ply.bpf.object}. Where programs run is not known here: that is the
 * floor of {@code dev.ply.kernel.attach}.
 */
@NullMarked
package dev.ply.kernel.load;

import org.jspecify.annotations.NullMarked;
