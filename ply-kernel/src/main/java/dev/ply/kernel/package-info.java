/**
 * The roof of this module: {@link dev.ply.kernel.KernelTracer}, which traces the running kernel,
 * the facts of the machine as a target to compile for, and what this process may do. Below are
 * floors, each of which may use those below it only: {@code attach}; the facts of user space
 * ({@code user}, {@code elf}, {@code untrusted}, {@code process}) and of the kernel ({@code
 * feature}, {@code symbol}, {@code tracefs}, {@code pmu}); {@code ring} and {@code load}; {@code
 * sys}; {@code error}.
 */
@NullMarked
package dev.ply.kernel;

import org.jspecify.annotations.NullMarked;
