/**
 * Names of Rust functions, as programmers write them, from the symbols of programs. Symbols come
 * from files of other users: work and output are bounded.
 */
@NullMarked
package dev.ply.rust;

import org.jspecify.annotations.NullMarked;
