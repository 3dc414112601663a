/**
 * Runnable examples: each class is a trace and a main method that runs it. The directory {@code
 * scripts} of this module has the same traces in the language.
 */
@NullMarked
package dev.ply.examples;

import org.jspecify.annotations.NullMarked;
