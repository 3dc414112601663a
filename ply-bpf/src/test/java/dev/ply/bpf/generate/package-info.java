/**
 * Generators of instructions and programs for property-based tests, of this project and of others.
 */
@NullMarked
package dev.ply.bpf.generate;

import org.jspecify.annotations.NullMarked;
