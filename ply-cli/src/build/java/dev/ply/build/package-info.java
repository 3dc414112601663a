/**
 * What makes the command start fast, run by the build and on its first use, and no part of the
 * command: jars are rewritten, and a class archive is trained.
 */
@NullMarked
package dev.ply.build;

import org.jspecify.annotations.NullMarked;
