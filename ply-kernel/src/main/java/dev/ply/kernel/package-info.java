/**
 * The running kernel as a tracer: maps and programs with an owner each, what this process may do,
 * and the facts of the machine. What is loaded here was compiled as pure data by {@code ply-bpf}.
 */
@NullMarked
package dev.ply.kernel;

import org.jspecify.annotations.NullMarked;
