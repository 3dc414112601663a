/** Probes as scripts and programs define them, before they are looked up on a target. */
@NullMarked
package dev.ply.probe;

import org.jspecify.annotations.NullMarked;
