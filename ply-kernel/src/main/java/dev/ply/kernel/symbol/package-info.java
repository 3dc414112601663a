/** Symbols of the kernel, from its own symbol table. */
@NullMarked
package dev.ply.kernel.symbol;

import org.jspecify.annotations.NullMarked;
