/**
 * Completion in shells: scripts made from the declarations of command lines, and the names of this
 * machine and of the language that continue a script. Nothing is loaded into the kernel for them.
 */
@NullMarked
package dev.ply.cli.completion;

import org.jspecify.annotations.NullMarked;
