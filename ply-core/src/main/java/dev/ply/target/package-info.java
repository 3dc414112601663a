/**
 * The facts of the machine that a script is compiled for; {@code ply-kernel} knows the running
 * kernel's.
 */
@NullMarked
package dev.ply.target;

import org.jspecify.annotations.NullMarked;
