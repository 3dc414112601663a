/** The kernel's description of its own types (BTF, Documentation/bpf/btf.rst). */
@NullMarked
package dev.ply.kernel.btf;

import org.jspecify.annotations.NullMarked;
