/** The built-in values and functions, by subject. */
@NullMarked
package dev.ply.builtin.catalog;

import org.jspecify.annotations.NullMarked;
