/**
 * Files that other users wrote, read by a process that may read everything: opened without waiting,
 * checked by their descriptors, within limits of time and memory.
 */
@NullMarked
package dev.ply.kernel.untrusted;

import org.jspecify.annotations.NullMarked;
