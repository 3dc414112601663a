/** The context of a program by its mechanism: arguments, results, registers, records. */
@NullMarked
package dev.ply.bpf.codegen.context;

import org.jspecify.annotations.NullMarked;
