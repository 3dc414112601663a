/** Tools: scripts whose headers declare options and columns, and the command that runs them. */
@NullMarked
package dev.ply.cli.tool;

import org.jspecify.annotations.NullMarked;
