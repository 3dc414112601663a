/** Names of code that runtimes compile while they run: from perf maps, and from Java runtimes. */
@NullMarked
package dev.ply.kernel.jit;

import org.jspecify.annotations.NullMarked;
