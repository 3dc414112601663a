/**
 * The executable mappings of all processes over time, as performance events report them: what a
 * stack trace of a process that has ended refers to.
 */
@NullMarked
package dev.ply.kernel.mapping;

import org.jspecify.annotations.NullMarked;
