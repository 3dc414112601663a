/** {@code ply bt}: bpftrace's options, output and messages. */
@NullMarked
package dev.ply.cli.bpftrace;

import org.jspecify.annotations.NullMarked;
