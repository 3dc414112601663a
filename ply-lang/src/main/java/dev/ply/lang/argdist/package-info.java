/**
 * The specifiers of BCC's argdist: what to probe, and which expressions of C to count or to
 * distribute. {@link dev.ply.lang.argdist.ArgdistScript} translates them to a script.
 */
@NullMarked
package dev.ply.lang.argdist;

import org.jspecify.annotations.NullMarked;
