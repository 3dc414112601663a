/** The grammar, and the classes that ANTLR generates from it. */
@NullMarked
package dev.ply.lang.grammar;

import org.jspecify.annotations.NullMarked;
