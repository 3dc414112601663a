/** Values, records and keys from the bytes that programs store, and the reverse. */
@NullMarked
package dev.ply.bpf.decode;

import org.jspecify.annotations.NullMarked;
