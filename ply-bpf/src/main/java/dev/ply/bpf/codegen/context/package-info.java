/** What a program sees, by the way that it is attached: arguments, results, registers, records. */
@NullMarked
package dev.ply.bpf.codegen.context;

import org.jspecify.annotations.NullMarked;
