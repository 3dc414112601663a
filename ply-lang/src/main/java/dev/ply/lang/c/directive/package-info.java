/** The preprocessor: macros, conditions, and headers that are read. */
@NullMarked
package dev.ply.lang.c.directive;

import org.jspecify.annotations.NullMarked;
