/**
 * What tracing costs, measured side by side with other tracers on the machine at hand: each round
 * runs all of them in turn, so that a machine whose speed drifts is the same for all.
 */
@NullMarked
package dev.ply.examples.benchmark;

import org.jspecify.annotations.NullMarked;
