/** Linked programs, and the interpreter of their steps. */
@NullMarked
package dev.ply.bpf.vm.interpret;

import org.jspecify.annotations.NullMarked;
