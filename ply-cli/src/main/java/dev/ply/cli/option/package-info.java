/** Options of command lines: what several of them have, and how they are read. */
@NullMarked
package dev.ply.cli.option;

import org.jspecify.annotations.NullMarked;
