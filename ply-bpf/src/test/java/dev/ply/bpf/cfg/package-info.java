/** Tests of control flow and liveness. */
@NullMarked
package dev.ply.bpf.cfg;

import org.jspecify.annotations.NullMarked;
