/**
 * ELF files: their functions, notes and sections. Reads only what is needed, since such files are
 * large.
 */
@NullMarked
package dev.ply.kernel.elf;

import org.jspecify.annotations.NullMarked;
