/**
 * DWARF debug information: line tables. Files are untrusted: every read is checked, every loop
 * consumes bytes of the file, and nothing is allocated by a number in it.
 */
@NullMarked
package dev.ply.kernel.dwarf;

import org.jspecify.annotations.NullMarked;
