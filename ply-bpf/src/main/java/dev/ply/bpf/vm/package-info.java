/**
 * A virtual machine for BPF programs: it runs the compiler's instructions against maps, ring
 * buffers and tasks that live in this process. Every access is checked, so that a program that a
 * kernel would have to refuse ends in a {@link dev.ply.bpf.vm.VmFault} that says why. Runs are
 * deterministic: time, tasks and random numbers come from the caller.
 */
@NullMarked
package dev.ply.bpf.vm;

import org.jspecify.annotations.NullMarked;
