/**
 * The formats of other viewers: profiles, time lines and metrics.
 *
 * <p>More than 25 files, because each format is a file or two and all share the writers of protobuf
 * and the maps keyed by stacks.
 */
@NullMarked
package dev.ply.export;

import org.jspecify.annotations.NullMarked;
