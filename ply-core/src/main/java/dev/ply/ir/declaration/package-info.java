/** The declarations of scripts beside their clauses: settings and maps. */
@NullMarked
package dev.ply.ir.declaration;

import org.jspecify.annotations.NullMarked;
