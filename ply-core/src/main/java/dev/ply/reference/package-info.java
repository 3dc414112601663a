/**
 * What the language has to offer, as data: the table behind the language reference and the
 * command's help.
 */
@org.jspecify.annotations.NullMarked
package dev.ply.reference;
