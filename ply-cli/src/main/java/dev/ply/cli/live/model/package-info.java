/** The state of the live view: the last minute of maps, the last events, and the user's choices. */
@NullMarked
package dev.ply.cli.live.model;

import org.jspecify.annotations.NullMarked;
