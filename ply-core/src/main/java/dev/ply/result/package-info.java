/** What a trace found, as Java values, and how those values print. */
@NullMarked
package dev.ply.result;

import org.jspecify.annotations.NullMarked;
