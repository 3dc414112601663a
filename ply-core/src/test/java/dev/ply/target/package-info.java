/** Tests of the facts of machines. */
@NullMarked
package dev.ply.target;

import org.jspecify.annotations.NullMarked;
