/** What follows a trace while it runs: the measurement of its cost. */
@NullMarked
package dev.ply.cli.follow;

import org.jspecify.annotations.NullMarked;
