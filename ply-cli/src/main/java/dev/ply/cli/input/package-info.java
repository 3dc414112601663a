/**
 * The input of a command: programs and the files that they import, arguments without loss, the
 * caller's environment.
 */
@NullMarked
package dev.ply.cli.input;

import org.jspecify.annotations.NullMarked;
