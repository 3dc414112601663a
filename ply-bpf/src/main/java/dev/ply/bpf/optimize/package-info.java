/**
 * Optimisation passes: each maps a program to a smaller or faster one with the same behaviour.
 *
 * <p>Works on instructions alone; knows nothing of the script or its plan.
 */
@NullMarked
package dev.ply.bpf.optimize;

import org.jspecify.annotations.NullMarked;
