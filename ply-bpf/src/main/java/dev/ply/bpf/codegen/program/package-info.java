/** From analysed scripts to programs, one for each probe site: clauses, statements, events. */
@NullMarked
package dev.ply.bpf.codegen.program;

import org.jspecify.annotations.NullMarked;
