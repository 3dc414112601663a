/**
 * Values that scripts receive when they start: environment variables, positional parameters and
 * options.
 */
@NullMarked
package dev.ply.lang.argument;

import org.jspecify.annotations.NullMarked;
