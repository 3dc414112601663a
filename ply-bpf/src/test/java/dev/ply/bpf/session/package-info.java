/** Scripts through the whole pipeline: what is generated, how it runs, what is refused. */
@NullMarked
package dev.ply.bpf.session;

import org.jspecify.annotations.NullMarked;
