/**
 * Chooses how programs are attached: the cheapest mechanism that the target offers and that shows a
 * program the same.
 */
@NullMarked
package dev.ply.bpf.plan;

import org.jspecify.annotations.NullMarked;
