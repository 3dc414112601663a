/**
 * C in scripts and headers: the preprocessor, and the declarations of types. What comes out are
 * {@link dev.ply.ir.TypeDefinition}s and macros.
 */
@NullMarked
package dev.ply.lang.c;

import org.jspecify.annotations.NullMarked;
