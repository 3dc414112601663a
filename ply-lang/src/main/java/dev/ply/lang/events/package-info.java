/**
 * Definitions of probe events as the kernel's {@code kprobe_events} and {@code uprobe_events} take
 * them, parsed and translated to scripts.
 */
@NullMarked
package dev.ply.lang.events;

import org.jspecify.annotations.NullMarked;
