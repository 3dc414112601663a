/**
 * The capabilities(7) of this process, and how to start one that has more. Which probe requires
 * which of them is in docs/PRIVILEGES.md.
 */
@NullMarked
package dev.ply.kernel.privilege;

import org.jspecify.annotations.NullMarked;
