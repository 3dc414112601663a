/**
 * Who can tell what a script does: the evaluator, the virtual machine, and, in ply-kernel's test
 * jar, the kernel. Each plays a {@link dev.ply.bpf.oracle.Scenario} and gives an {@link
 * dev.ply.bpf.oracle.Outcome}; two that differ are a fault of one of them.
 */
@NullMarked
package dev.ply.bpf.oracle;

import org.jspecify.annotations.NullMarked;
