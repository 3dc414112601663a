/**
 * Bytecode: the encoding of instructions in slots of 8 bytes (RFC 9669, section 3), and its
 * decoding.
 */
@NullMarked
package dev.ply.bpf.encoding;

import org.jspecify.annotations.NullMarked;
