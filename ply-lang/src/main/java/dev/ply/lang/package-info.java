/**
 * The language: {@link dev.ply.lang.ScriptParser} makes the intermediate representation of text, or
 * says in words what is wrong with it; {@link dev.ply.lang.ScriptPrinter} makes text of the
 * representation. What a script means is not known here.
 */
@NullMarked
package dev.ply.lang;

import org.jspecify.annotations.NullMarked;
