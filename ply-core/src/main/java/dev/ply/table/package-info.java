/**
 * Tables of maps, the values in their rows, and their default text.
 *
 * <p>More than 25 files, because a table, its values and their {@code toString} refer to each
 * other: values draw themselves, and a table can be a value.
 */
@NullMarked
package dev.ply.table;

import org.jspecify.annotations.NullMarked;
