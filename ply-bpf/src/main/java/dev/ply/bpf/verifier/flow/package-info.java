/** Control flow and stack use of a program, without regard to values. */
@NullMarked
package dev.ply.bpf.verifier.flow;

import org.jspecify.annotations.NullMarked;
