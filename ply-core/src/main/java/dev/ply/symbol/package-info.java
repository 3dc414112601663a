/** Names of functions as people read them, whatever language their symbols come from. */
@NullMarked
package dev.ply.symbol;

import org.jspecify.annotations.NullMarked;
