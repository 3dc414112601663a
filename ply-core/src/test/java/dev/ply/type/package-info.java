/** Tests of types and of what they lay out. */
@NullMarked
package dev.ply.type;

import org.jspecify.annotations.NullMarked;
