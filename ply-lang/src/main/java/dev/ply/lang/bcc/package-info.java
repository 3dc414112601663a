/**
 * The specifiers of BCC's argdist and trace: what to probe, and which expressions of C to show, to
 * count or to distribute. {@link dev.ply.lang.bcc.ArgdistScript} and {@link
 * dev.ply.lang.bcc.TraceScript} translate them to scripts.
 */
@NullMarked
package dev.ply.lang.bcc;

import org.jspecify.annotations.NullMarked;
