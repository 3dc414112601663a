/**
 * From the intermediate representation back to text, and the layout of scripts as they are written.
 */
@NullMarked
package dev.ply.lang.print;

import org.jspecify.annotations.NullMarked;
