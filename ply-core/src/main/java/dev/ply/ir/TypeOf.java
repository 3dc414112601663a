package dev.ply.ir;

/**
 * {@code typeof(operand)}: the type of an expression, which is not evaluated.
 *
 * @param operand of any type
 * @param pointers the number of stars after it
 */
public record TypeOf(Expr operand, int pointers) implements TypeReference {}
