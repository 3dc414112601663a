/** Loops: by jumps, by helpers, over maps. */
@NullMarked
package dev.ply.bpf.codegen.loop;

import org.jspecify.annotations.NullMarked;
