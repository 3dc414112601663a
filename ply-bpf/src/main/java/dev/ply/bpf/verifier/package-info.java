/**
 * Proves before the kernel is asked that a program is safe, and tells people in words why it is
 * not. Every path is explored over abstract states: what an instruction requires, whether the state
 * entails it, and how the instruction changes the state are three classes. The rules are those of
 * the kernel's verifier for privileged tracing programs; where kernel versions differ, mostly the
 * stricter one is followed.
 */
@NullMarked
package dev.ply.bpf.verifier;

import org.jspecify.annotations.NullMarked;
