/**
 * Golden files: a case's input and its expected outputs side by side in one text file. Tests
 * compute the outputs; a difference prints as a unified diff, and {@code -Dgolden.update=true}
 * writes what was computed. The package travels to the other modules in this module's test jar.
 */
@NullMarked
package dev.ply.golden;

import org.jspecify.annotations.NullMarked;
