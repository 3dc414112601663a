/** Passes over a program that make it smaller or faster and leave what it does unchanged. */
@NullMarked
package dev.ply.bpf.optimize;

import org.jspecify.annotations.NullMarked;
