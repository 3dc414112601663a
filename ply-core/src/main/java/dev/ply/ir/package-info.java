/**
 * The intermediate representation that text and fluent API share: immutable trees of what was
 * written, each node with its place in the source. Meaning is added beside the tree, by {@code
 * dev.ply.analysis}.
 */
@NullMarked
package dev.ply.ir;

import org.jspecify.annotations.NullMarked;
