/**
 * Machine code of programs and libraries: where its instructions start, and which of them is the
 * cheapest to probe.
 */
@NullMarked
package dev.ply.kernel.code;

import org.jspecify.annotations.NullMarked;
