/**
 * Facts about what this kernel can do: features, tried or told by its version, and the mechanisms
 * that programs can be attached by. Programs that it loads to try are closed at once.
 */
@NullMarked
package dev.ply.kernel.feature;

import org.jspecify.annotations.NullMarked;
