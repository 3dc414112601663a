/**
 * A virtual machine for BPF programs, with maps, ring buffers and simulated tasks.
 *
 * <p>Every access is checked: a program that the kernel's verifier would reject ends in a {@link
 * dev.ply.bpf.vm.memory.VmFault}. Deterministic: time, tasks and random numbers come from the
 * caller. Depends on {@code isa} and {@code object}; knows nothing of scripts.
 */
@NullMarked
package dev.ply.bpf.vm;

import org.jspecify.annotations.NullMarked;
