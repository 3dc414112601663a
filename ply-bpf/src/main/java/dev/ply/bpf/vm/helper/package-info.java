/** The helper functions of the kernel, and the simulated task that they ask. */
@NullMarked
package dev.ply.bpf.vm.helper;

import org.jspecify.annotations.NullMarked;
