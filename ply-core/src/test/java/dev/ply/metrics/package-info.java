/** Metrics for the libraries of Java programs. */
@NullMarked
package dev.ply.metrics;

import org.jspecify.annotations.NullMarked;
