/**
 * Tokens of C, expressions by the precedence of their operators, and the values of constant ones.
 */
@NullMarked
package dev.ply.lang.c.expression;

import org.jspecify.annotations.NullMarked;
