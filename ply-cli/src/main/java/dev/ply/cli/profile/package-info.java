/** Profiles as stores receive them. */
@NullMarked
package dev.ply.cli.profile;

import org.jspecify.annotations.NullMarked;
