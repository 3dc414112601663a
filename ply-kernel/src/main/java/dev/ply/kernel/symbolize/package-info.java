/** Symbols and source lines of addresses in processes, also of those that have exited. */
@NullMarked
package dev.ply.kernel.symbolize;

import org.jspecify.annotations.NullMarked;
