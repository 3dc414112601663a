/**
 * What a script means on a target: the type of every expression, the maps with their keys and
 * values, and everything that is wrong. Results lie beside the tree; the tree itself never changes.
 */
@NullMarked
package dev.ply.analysis;

import org.jspecify.annotations.NullMarked;
