/**
 * The BPF instruction set (RFC 9669): instructions, their operands, and helpers.
 *
 * <p>Knows nothing of whole programs, maps or the running kernel.
 */
@NullMarked
package dev.ply.bpf.isa;

import org.jspecify.annotations.NullMarked;
