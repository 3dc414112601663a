/** Tests of what authors of scripts are told. */
@NullMarked
package dev.ply.diagnostic;

import org.jspecify.annotations.NullMarked;
