/** BTF made by hand, and what is read of it. */
@NullMarked
package dev.ply.btf;

import org.jspecify.annotations.NullMarked;
