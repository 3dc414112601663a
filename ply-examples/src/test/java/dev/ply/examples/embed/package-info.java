/** Tests of the embedding programs, most of them without a kernel. */
@NullMarked
package dev.ply.examples.embed;

import org.jspecify.annotations.NullMarked;
