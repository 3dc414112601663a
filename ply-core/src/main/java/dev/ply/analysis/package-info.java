/**
 * Analysis of a script on a target: the types of expressions, keys and values of maps, and all
 * errors. Results are kept beside the tree, which is immutable.
 */
@NullMarked
package dev.ply.analysis;

import org.jspecify.annotations.NullMarked;
