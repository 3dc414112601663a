/**
 * The built-in values, functions and aggregations of the language, each declared in one piece:
 * names, signature, typing rule, availability, effect and documentation. Parser, analyzer, help and
 * language reference follow from the declarations; ply-bpf has a code generator for each. {@link
 * dev.ply.builtin.catalog.Builtins} lists them.
 */
@org.jspecify.annotations.NullMarked
package dev.ply.builtin;
