/**
 * {@code ply kprobe-events} and {@code ply uprobe-events}: events as the kernel's own files define
 * them.
 */
@NullMarked
package dev.ply.cli.events;

import org.jspecify.annotations.NullMarked;
