/** The grammar, and what ANTLR makes of it. */
@NullMarked
package dev.ply.lang.grammar;

import org.jspecify.annotations.NullMarked;
