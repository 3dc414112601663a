/**
 * The ground floor: how refusals of the kernel are reported, by its own error numbers, with what is
 * known of their reasons on this machine. Everything above may use it; it uses nothing of this
 * module.
 */
@NullMarked
package dev.ply.kernel.error;

import org.jspecify.annotations.NullMarked;
