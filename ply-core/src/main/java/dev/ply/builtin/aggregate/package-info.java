/** The aggregations: their types, how the words of CPUs merge, and their results. */
@NullMarked
package dev.ply.builtin.aggregate;

import org.jspecify.annotations.NullMarked;
