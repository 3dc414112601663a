/**
 * The facts about the machine that a script is compiled for; {@code ply-kernel} reads those of the
 * running kernel.
 */
@NullMarked
package dev.ply.target;

import org.jspecify.annotations.NullMarked;
