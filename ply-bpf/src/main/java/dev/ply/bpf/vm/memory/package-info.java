/** The address space of a machine: regions, checked accesses, faults. */
@NullMarked
package dev.ply.bpf.vm.memory;

import org.jspecify.annotations.NullMarked;
