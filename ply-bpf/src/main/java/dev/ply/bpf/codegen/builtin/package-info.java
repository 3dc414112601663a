/** Code of built-ins: a class for each subject. */
@NullMarked
package dev.ply.bpf.codegen.builtin;

import org.jspecify.annotations.NullMarked;
