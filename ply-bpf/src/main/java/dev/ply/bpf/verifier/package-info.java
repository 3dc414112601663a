/**
 * A verifier of BPF programs, with the rules of the kernel's for privileged tracing programs.
 *
 * <p>Explores every path over abstract states. Requirements of an instruction and their proof from
 * a state are in {@code rule}, the transfer function is in {@code effect}. Where kernel versions
 * differ, mostly follows the stricter one. Depends on {@code isa}, {@code asm} and {@code object};
 * knows nothing of scripts, and never asks the kernel.
 */
@NullMarked
package dev.ply.bpf.verifier;

import org.jspecify.annotations.NullMarked;
