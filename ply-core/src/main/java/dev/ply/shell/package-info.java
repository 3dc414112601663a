/**
 * The shell text of {@code system}: traced values reach a shell as parameters only, and what would
 * make code of them is refused.
 */
@NullMarked
package dev.ply.shell;

import org.jspecify.annotations.NullMarked;
