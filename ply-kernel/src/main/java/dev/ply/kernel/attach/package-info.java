/**
 * Programs attached to what happens: tracepoints, function entries and returns, timers. An
 * attachment is made first and enabled later, so that many can be made ready and then start
 * together; closing it undoes everything in any state.
 */
@NullMarked
package dev.ply.kernel.attach;

import org.jspecify.annotations.NullMarked;
