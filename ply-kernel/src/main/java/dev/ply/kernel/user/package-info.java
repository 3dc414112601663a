/**
 * Programs and libraries of the running system: where they are, what processes have mapped, and the
 * functions in them.
 */
@NullMarked
package dev.ply.kernel.user;

import org.jspecify.annotations.NullMarked;
