/** Values of probes beyond the everyday ones of {@link dev.ply.Values}, by subject. */
@NullMarked
package dev.ply.value;

import org.jspecify.annotations.NullMarked;
