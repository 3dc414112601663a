/**
 * Lists of what a machine has to trace: probes that patterns select, what their clauses can read,
 * and types of the kernel. {@link dev.ply.listing.ProbeListing} is the entry point.
 */
@NullMarked
package dev.ply.listing;

import org.jspecify.annotations.NullMarked;
