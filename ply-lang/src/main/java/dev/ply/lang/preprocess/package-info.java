/** The directives of the C preprocessor in scripts, and the headers that they include. */
@NullMarked
package dev.ply.lang.preprocess;

import org.jspecify.annotations.NullMarked;
