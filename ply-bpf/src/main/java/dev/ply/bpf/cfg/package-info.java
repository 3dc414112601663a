/**
 * Dataflow analyses of one program: control flow, liveness and value numbering.
 *
 * <p>Analyses only read programs; {@code optimize} and {@code codegen} rewrite them.
 */
@NullMarked
package dev.ply.bpf.cfg;

import org.jspecify.annotations.NullMarked;
