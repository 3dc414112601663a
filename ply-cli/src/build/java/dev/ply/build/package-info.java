/**
 * Build-time preparation for a fast startup, outside of the shipped command: jars are rewritten,
 * and a class archive is trained.
 */
@NullMarked
package dev.ply.build;

import org.jspecify.annotations.NullMarked;
