/** Diagnostics of a script: collected as values, rendered with the source line and a caret. */
@NullMarked
package dev.ply.diagnostic;

import org.jspecify.annotations.NullMarked;
