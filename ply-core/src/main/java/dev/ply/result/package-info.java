/** Results of a trace as Java values, and their print formats. */
@NullMarked
package dev.ply.result;

import org.jspecify.annotations.NullMarked;
