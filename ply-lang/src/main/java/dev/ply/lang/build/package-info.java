/**
 * From the syntax tree of a script to the intermediate representation: {@link
 * dev.ply.lang.build.AstBuilder} builds clauses, resolves names and expands macros.
 */
@NullMarked
package dev.ply.lang.build;

import org.jspecify.annotations.NullMarked;
