/** Tests of the passes over programs. */
@NullMarked
package dev.ply.bpf.optimize;

import org.jspecify.annotations.NullMarked;
