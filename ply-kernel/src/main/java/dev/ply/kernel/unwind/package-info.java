/**
 * Unwind tables of files: call frame information of {@code .eh_frame} and {@code .debug_frame}
 * (DWARF 5, 6.4) becomes rows of fixed size. Files are untrusted: every read is checked, every loop
 * consumes bytes of the file, and a damaged function has no rules.
 */
@NullMarked
package dev.ply.kernel.unwind;

import org.jspecify.annotations.NullMarked;
