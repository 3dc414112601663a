/** The choice of layouts and output formats. */
@NullMarked
package dev.ply.layout;

import org.jspecify.annotations.NullMarked;
