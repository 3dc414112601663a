/** {@code ply argdist}: argdist's options, specifiers and output. */
@NullMarked
package dev.ply.cli.argdist;

import org.jspecify.annotations.NullMarked;
