/** What the files of the system say of its processes, threads, users and cgroups. */
@NullMarked
package dev.ply.kernel.procfs;

import org.jspecify.annotations.NullMarked;
