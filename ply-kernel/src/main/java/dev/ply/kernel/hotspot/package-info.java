/** What HotSpot runtimes tell debuggers of themselves, read from their memory. */
@NullMarked
package dev.ply.kernel.hotspot;

import org.jspecify.annotations.NullMarked;
