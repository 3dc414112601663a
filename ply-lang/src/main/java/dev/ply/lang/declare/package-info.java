/** Declarations between the probes of a script: imports, maps, settings, macros and functions. */
@NullMarked
package dev.ply.lang.declare;

import org.jspecify.annotations.NullMarked;
