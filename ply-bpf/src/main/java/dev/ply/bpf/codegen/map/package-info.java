/** Operations on maps, and the accumulators of aggregations. */
@NullMarked
package dev.ply.bpf.codegen.map;

import org.jspecify.annotations.NullMarked;
