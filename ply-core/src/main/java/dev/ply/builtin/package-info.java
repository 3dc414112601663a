/**
 * The values, functions and aggregations that the language has built in, each declared in one
 * piece: names, signature, typing rule, where it is available, effect and documentation. Parser,
 * analyzer, help and language reference follow from the declarations; ply-bpf has a code generator
 * for each. {@link dev.ply.builtin.Builtins} lists them.
 */
@org.jspecify.annotations.NullMarked
package dev.ply.builtin;
