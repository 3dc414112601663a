/** The text layouts of ply, bpftrace and argdist. */
@NullMarked
package dev.ply.render;

import org.jspecify.annotations.NullMarked;
