/** Declarations of types: structures, enumerations, typedefs and their attributes. */
@NullMarked
package dev.ply.lang.c.declaration;

import org.jspecify.annotations.NullMarked;
