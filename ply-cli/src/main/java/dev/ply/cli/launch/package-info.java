/** What the build prepares the command's jars with, so that it starts fast. */
@NullMarked
package dev.ply.cli.launch;

import org.jspecify.annotations.NullMarked;
