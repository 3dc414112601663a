/** Tests of the command: in this process with captured streams, and as the launcher starts it. */
@NullMarked
package dev.ply.cli;

import org.jspecify.annotations.NullMarked;
