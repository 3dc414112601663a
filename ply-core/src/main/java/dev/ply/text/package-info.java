/** Text output: escaping, numbers with units, times, and the formats of {@code printf}. */
@NullMarked
package dev.ply.text;

import org.jspecify.annotations.NullMarked;
