/**
 * What the programs of a script share while they are compiled: maps and their storage, event sites,
 * keys and values that are known.
 */
@NullMarked
package dev.ply.bpf.codegen.storage;

import org.jspecify.annotations.NullMarked;
