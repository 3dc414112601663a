/** Registers and stacks of the machine for those of a program; labels and jumps that reach. */
@NullMarked
package dev.ply.bpf.codegen.register;

import org.jspecify.annotations.NullMarked;
