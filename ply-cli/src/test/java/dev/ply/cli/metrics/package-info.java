/** Metrics as monitoring systems receive them. */
@NullMarked
package dev.ply.cli.metrics;

import org.jspecify.annotations.NullMarked;
