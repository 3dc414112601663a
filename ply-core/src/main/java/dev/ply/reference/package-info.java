/** The language reference as data, for the docs and the command's help. */
@org.jspecify.annotations.NullMarked
package dev.ply.reference;
