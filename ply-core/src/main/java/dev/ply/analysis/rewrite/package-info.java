/** Rewriting of clauses before their types are known, and their splitting by site. */
@NullMarked
package dev.ply.analysis.rewrite;

import org.jspecify.annotations.NullMarked;
