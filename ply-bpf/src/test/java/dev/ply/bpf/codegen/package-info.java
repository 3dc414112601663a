/** Generated code held against plain evaluation. */
@NullMarked
package dev.ply.bpf.codegen;

import org.jspecify.annotations.NullMarked;
