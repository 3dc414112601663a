/** Commands that are run while tracing. */
@NullMarked
package dev.ply.kernel.process;

import org.jspecify.annotations.NullMarked;
