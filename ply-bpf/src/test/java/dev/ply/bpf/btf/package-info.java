/** BTF made by hand, and what is read of it. */
@NullMarked
package dev.ply.bpf.btf;

import org.jspecify.annotations.NullMarked;
