/**
 * The machines of traces, the kernel and the virtual machine, and the shell scripts that it starts.
 */
@NullMarked
package dev.ply.bpf.machine;

import org.jspecify.annotations.NullMarked;
