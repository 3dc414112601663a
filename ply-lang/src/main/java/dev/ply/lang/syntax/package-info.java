/** Syntax trees of scripts, and the messages for their syntax errors. */
@NullMarked
package dev.ply.lang.syntax;

import org.jspecify.annotations.NullMarked;
