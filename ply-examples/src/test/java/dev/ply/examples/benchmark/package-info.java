/** Tests of how measurements are shown. */
@NullMarked
package dev.ply.examples.benchmark;

import org.jspecify.annotations.NullMarked;
