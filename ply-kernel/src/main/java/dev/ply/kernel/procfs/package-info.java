/** Processes, threads, users and cgroups, from procfs and the files of the system. */
@NullMarked
package dev.ply.kernel.procfs;

import org.jspecify.annotations.NullMarked;
