/** Commands that are run to be traced. */
@NullMarked
package dev.ply.kernel.process;

import org.jspecify.annotations.NullMarked;
