/**
 * The ply command: its entry point, {@link dev.ply.cli.Ply}, which lists the command lines there
 * are, and its own, which runs scripts of the ply language. Contains nothing that an embedding
 * program would need.
 */
@NullMarked
package dev.ply.cli;

import org.jspecify.annotations.NullMarked;
