package dev.ply.table;

import java.util.List;

/** How BCC's argdist shows what one of its specifiers collects. */
public sealed interface ArgdistTable {
  /**
   * The counts of values.
   *
   * @param heading the specifier, or its label
   * @param columns the expressions, one for each component of the key; empty for the number of
   *     calls
   */
  record Counts(String heading, List<String> columns) implements ArgdistTable {
    /** Copies the columns. */
    public Counts {
      columns = List.copyOf(columns);
    }
  }

  /**
   * A histogram of powers of two.
   *
   * @param label the specifier's label, or the expression
   */
  record Distribution(String label) implements ArgdistTable {}
}
