/**
 * BTF (BPF Type Format): the kernel's types and functions, read lazily: types that are not needed
 * are skipped.
 */
@NullMarked
package dev.ply.bpf.btf;

import org.jspecify.annotations.NullMarked;
