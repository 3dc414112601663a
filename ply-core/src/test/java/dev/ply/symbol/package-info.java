@NullMarked
package dev.ply.symbol;

import org.jspecify.annotations.NullMarked;
