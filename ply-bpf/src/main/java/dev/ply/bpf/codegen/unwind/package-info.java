/** Code that walks user stacks by the unwind tables in maps: what {@code Unwinder} means. */
@NullMarked
package dev.ply.bpf.codegen.unwind;

import org.jspecify.annotations.NullMarked;
