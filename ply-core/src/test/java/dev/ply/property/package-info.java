/** How long properties run. */
@NullMarked
package dev.ply.property;

import org.jspecify.annotations.NullMarked;
