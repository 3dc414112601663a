/**
 * Files of other users, read by a privileged process: opened without blocking, checked by
 * descriptor, within limits of time and memory.
 */
@NullMarked
package dev.ply.kernel.untrusted;

import org.jspecify.annotations.NullMarked;
