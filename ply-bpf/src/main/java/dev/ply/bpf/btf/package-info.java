/**
 * The kernel's own description of its types and functions (BPF Type Format), read lazily: what is
 * not asked for is skipped over.
 */
@NullMarked
package dev.ply.bpf.btf;

import org.jspecify.annotations.NullMarked;
