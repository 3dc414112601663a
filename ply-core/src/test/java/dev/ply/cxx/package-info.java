/** Tests of {@link dev.ply.cxx}. */
@NullMarked
package dev.ply.cxx;

import org.jspecify.annotations.NullMarked;
