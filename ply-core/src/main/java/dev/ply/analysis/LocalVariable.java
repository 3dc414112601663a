package dev.ply.analysis;

import dev.ply.type.Type;

/**
 * A scratch variable of a clause.
 *
 * @param number counted from 0 in the order of declaration: names may stand for one variable in one
 *     block and for another in the next
 * @param name with its {@code $}
 */
public record LocalVariable(int number, String name, Type type) {}
