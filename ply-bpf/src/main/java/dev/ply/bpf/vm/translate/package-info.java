/** Linked programs as JVM bytecode. */
@NullMarked
package dev.ply.bpf.vm.translate;

import org.jspecify.annotations.NullMarked;
