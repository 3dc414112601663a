/** Results of a trace on their way, in order, to its output, listeners, streams and subscribers. */
@NullMarked
package dev.ply.bpf.stream;

import org.jspecify.annotations.NullMarked;
