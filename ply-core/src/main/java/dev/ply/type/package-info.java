/**
 * The types of values: C's integers, arrays, structures and pointers, with how each prints by
 * default.
 */
@NullMarked
package dev.ply.type;

import org.jspecify.annotations.NullMarked;
