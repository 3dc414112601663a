/**
 * From the syntax tree of a script to the intermediate representation: {@link
 * dev.ply.lang.build.AstBuilder} builds clauses, names are resolved and macros expanded on the way.
 */
@NullMarked
package dev.ply.lang.build;

import org.jspecify.annotations.NullMarked;
