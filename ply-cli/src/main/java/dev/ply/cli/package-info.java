/**
 * The ply command: options, exit status and signals around the library. Contains nothing that an
 * embedding program would need. {@link dev.ply.cli.Ply} is the entry point.
 */
@NullMarked
package dev.ply.cli;

import org.jspecify.annotations.NullMarked;
