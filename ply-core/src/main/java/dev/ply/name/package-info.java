/** Numbers of the kernel that have names: errors, signals, system calls, allocation flags. */
@NullMarked
package dev.ply.name;

import org.jspecify.annotations.NullMarked;
