/** The maps of a machine, with the operations of helpers and of the bpf system call. */
@NullMarked
package dev.ply.bpf.vm.map;

import org.jspecify.annotations.NullMarked;
