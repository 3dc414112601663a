/**
 * The live view of a trace in a terminal, by JLine. Its classes, and JLine with them, are loaded by
 * {@code --live} alone.
 */
@NullMarked
package dev.ply.cli.live;

import org.jspecify.annotations.NullMarked;
