/** Parses definitions of events and filters as the kernel's own files take them. */
@NullMarked
package dev.ply.lang.events.parse;

import org.jspecify.annotations.NullMarked;
