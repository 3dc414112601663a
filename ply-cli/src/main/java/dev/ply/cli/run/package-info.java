/**
 * Runs programs whatever command line they come from: a front end's request, from its compilation
 * to the losses at its end.
 */
@NullMarked
package dev.ply.cli.run;

import org.jspecify.annotations.NullMarked;
