/**
 * Programs and libraries of the running system: their files, the mappings of processes, and their
 * symbols.
 */
@NullMarked
package dev.ply.kernel.user;

import org.jspecify.annotations.NullMarked;
