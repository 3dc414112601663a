/** Draws the live view: what there is to show, as lines of a given size. */
@NullMarked
package dev.ply.cli.live.draw;

import org.jspecify.annotations.NullMarked;
