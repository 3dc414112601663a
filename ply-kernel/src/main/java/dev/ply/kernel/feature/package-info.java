/**
 * What this kernel can do: features, probed or implied by its version, and mechanisms for
 * attaching. Programs loaded for probing are closed at once.
 */
@NullMarked
package dev.ply.kernel.feature;

import org.jspecify.annotations.NullMarked;
