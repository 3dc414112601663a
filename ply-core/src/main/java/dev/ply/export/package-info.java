/** The formats of other viewers: profiles, time lines and metrics. */
@NullMarked
package dev.ply.export;

import org.jspecify.annotations.NullMarked;
