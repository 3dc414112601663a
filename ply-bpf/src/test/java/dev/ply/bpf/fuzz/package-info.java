/** Texts of every kind through the whole pipeline. */
@NullMarked
package dev.ply.bpf.fuzz;

import org.jspecify.annotations.NullMarked;
