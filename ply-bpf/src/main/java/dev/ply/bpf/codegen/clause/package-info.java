/**
 * A clause under compilation, as its parts see each other, and the code generators of built-ins as
 * a table.
 */
@NullMarked
package dev.ply.bpf.codegen.clause;

import org.jspecify.annotations.NullMarked;
