/** Tests of line tables. */
@NullMarked
package dev.ply.kernel.dwarf;

import org.jspecify.annotations.NullMarked;
