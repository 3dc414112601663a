/**
 * Tests of values and their text. A golden file with a {@code script} section holds what ply 2.4
 * prints for that script on x86-64; the others hold what is ours to decide.
 */
@NullMarked
package dev.ply.result;

import org.jspecify.annotations.NullMarked;
