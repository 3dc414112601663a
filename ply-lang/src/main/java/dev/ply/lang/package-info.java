/**
 * The language: {@link dev.ply.lang.ScriptParser} parses scripts to the intermediate representation
 * or reports errors; {@link dev.ply.lang.print.ScriptPrinter} prints the representation. Types and
 * targets are unknown here.
 */
@NullMarked
package dev.ply.lang;

import org.jspecify.annotations.NullMarked;
