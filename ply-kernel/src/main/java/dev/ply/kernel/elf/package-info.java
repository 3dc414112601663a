/**
 * Files of code in the Executable and Linkable Format: where their functions are, what else they
 * say about themselves. Reads what is asked for, and nothing else: such files are large.
 */
@NullMarked
package dev.ply.kernel.elf;

import org.jspecify.annotations.NullMarked;
