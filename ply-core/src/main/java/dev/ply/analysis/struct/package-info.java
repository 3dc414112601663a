/** Structures that scripts define or name: their fields, sizes and offsets. */
@NullMarked
package dev.ply.analysis.struct;

import org.jspecify.annotations.NullMarked;
