/**
 * Facts about CPU architectures: registers, calling conventions, system call numbers, operands of
 * USDT probes.
 */
@NullMarked
package dev.ply.machine;

import org.jspecify.annotations.NullMarked;
