/**
 * State shared by the programs of a script during compilation: maps and their storage, event sites,
 * keys and values that are known.
 */
@NullMarked
package dev.ply.bpf.codegen.storage;

import org.jspecify.annotations.NullMarked;
