/** The examples, tried on a simulated kernel and, where that is possible, on the running one. */
@NullMarked
package dev.ply.examples;

import org.jspecify.annotations.NullMarked;
