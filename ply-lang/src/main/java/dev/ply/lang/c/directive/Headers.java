package dev.ply.lang.c.directive;

import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import java.util.List;

/** Finds the files that directives include. */
public interface Headers {
  /**
   * Returns the files that an {@code #include} names; none if there is nothing to read. What cannot
   * be found is reported.
   *
   * @param from the source of the directive
   * @param operand the name with its quotes or brackets
   * @param where the directive is
   */
  List<Source> find(Source from, String operand, SourceSpan where);

  /**
   * Returns whether there is a header.
   *
   * @param from the source of the directive
   * @param operand the name with its quotes or brackets
   */
  boolean has(Source from, String operand);
}
