/** Gives programs the unwind tables of the processes that they meet. */
@NullMarked
package dev.ply.kernel.learn;

import org.jspecify.annotations.NullMarked;
