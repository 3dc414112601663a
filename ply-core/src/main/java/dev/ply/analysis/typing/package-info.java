/** The types of expressions, variables and maps. */
@NullMarked
package dev.ply.analysis.typing;

import org.jspecify.annotations.NullMarked;
