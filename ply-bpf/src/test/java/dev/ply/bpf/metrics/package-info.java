/** Sessions as metrics, on the simulated machine. */
@NullMarked
package dev.ply.bpf.metrics;

import org.jspecify.annotations.NullMarked;
