/** {@code ply serve}: scripts that run always, in one process with one exporter. */
@NullMarked
package dev.ply.cli.serve;

import org.jspecify.annotations.NullMarked;
