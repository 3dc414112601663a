/**
 * Sessions as metrics of monitoring systems. The libraries of these systems are optional: each is
 * needed by one class.
 */
@NullMarked
package dev.ply.metrics;

import org.jspecify.annotations.NullMarked;
