/** The sites that a clause's probes select on a target. */
@NullMarked
package dev.ply.analysis.site;

import org.jspecify.annotations.NullMarked;
