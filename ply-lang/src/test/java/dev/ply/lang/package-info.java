/** Tests of the language: what parses to what, what is rejected in which words, and fuzzing. */
@NullMarked
package dev.ply.lang;

import org.jspecify.annotations.NullMarked;
