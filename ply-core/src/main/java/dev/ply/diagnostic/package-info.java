/** What there is to say about a script: collected as values, rendered with the line and a caret. */
@NullMarked
package dev.ply.diagnostic;

import org.jspecify.annotations.NullMarked;
