/**
 * The ply command: options, exit status and signals in front of the library. It holds no logic that
 * a program which embeds the library would miss. {@link dev.ply.cli.Ply} is where it starts.
 */
@NullMarked
package dev.ply.cli;

import org.jspecify.annotations.NullMarked;
