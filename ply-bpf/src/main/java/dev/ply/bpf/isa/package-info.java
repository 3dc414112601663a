/**
 * The BPF instruction set (RFC 9669): instructions as records, their operators as tables, and the
 * codec between records and bytes. Knows nothing of programs, maps or kernels.
 */
@NullMarked
package dev.ply.bpf.isa;

import org.jspecify.annotations.NullMarked;
