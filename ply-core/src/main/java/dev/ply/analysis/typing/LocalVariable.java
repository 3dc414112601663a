package dev.ply.analysis.typing;

import dev.ply.type.Type;

/**
 * A scratch variable of a clause.
 *
 * @param number counted from 0 in order of declaration, since a name can denote different variables
 *     in different blocks
 * @param name with its {@code $}
 */
public record LocalVariable(int number, String name, Type type) {}
