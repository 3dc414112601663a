/**
 * The capabilities(7) of this process, and how to gain more. docs/PRIVILEGES.md lists which probe
 * requires which.
 */
@NullMarked
package dev.ply.kernel.privilege;

import org.jspecify.annotations.NullMarked;
