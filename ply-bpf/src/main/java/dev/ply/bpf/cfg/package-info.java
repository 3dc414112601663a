/**
 * How control and values flow through a program: successors of instructions, and which registers
 * are still needed.
 */
@NullMarked
package dev.ply.bpf.cfg;

import org.jspecify.annotations.NullMarked;
