/**
 * The ground floor: refusals of the kernel by errno, with likely reasons on this machine. Used by
 * all other packages; uses nothing of this module.
 */
@NullMarked
package dev.ply.kernel.error;

import org.jspecify.annotations.NullMarked;
